// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: conversations of podium with its judge, changed on the judge's side.
#include <cstdint>
#include <cstring>

#include "tests/fuzz/examine_podium.hpp"
#include "tests/fuzz/message_mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  podium::fuzz::examine_podium(
      podium::fuzz::for_podium(podium::fuzz::conversation_in({reinterpret_cast<const char*>(data), size})));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace podium::fuzz;
  Conversation conversation = conversation_in({reinterpret_cast<const char*>(data), size});
  MessageMutator mutator(seed);
  mutator.mutate(conversation, Side::judge, 1 + static_cast<int>(mutator.below(3)));
  const std::string text = recorded(conversation);
  if (text.size() > most) return size;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}
