// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: contestants' metadata.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fuzz/examine_contestant.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  podium::fuzz::examine_contestant(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
