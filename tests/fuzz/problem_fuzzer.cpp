// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: problem files, changed as text and as YAML. With PODIUM_FUZZ_ACCEPTED set, files that
// are refused are forgotten, whatever code they reached, so that all it works with are problems.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/fuzz/examine_problem.hpp"
#include "tests/fuzz/mutator.hpp"

// Of libFuzzer: one of its own changes, of bytes and by the dictionary.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace podium::fuzz {
void forget_this_run();  // forget.cpp
}

namespace {

std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
// Its size; the old one where `text` is too long.
std::size_t put(const std::string& text, std::uint8_t* data, std::size_t size, std::size_t most) {
  if (text.size() > most) return size;
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool problems_only = std::getenv("PODIUM_FUZZ_ACCEPTED") != nullptr;
  if (!podium::fuzz::examine_problem(text_of(data, size)) && problems_only) podium::fuzz::forget_this_run();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  return put(podium::fuzz::Mutator(seed).mutated(text_of(data, size)), data, size, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* one, std::size_t one_size,
                                                 const std::uint8_t* other, std::size_t other_size,
                                                 std::uint8_t* out, std::size_t most, unsigned seed) {
  const std::string text = text_of(one, one_size);
  std::string crossed = podium::fuzz::Mutator(seed).crossed(text, text_of(other, other_size));
  if (crossed.size() > most) crossed.resize(most);
  return put(crossed, out, 0, most);
}
