// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compiled without the fuzzer's instrumentation, in which the compiler declares symbols of these names
// itself.
#include <cstddef>
#include <cstdint>
#include <cstring>

// The linker's names for where the counters of edges begin and end, which libFuzzer reads after every run.
extern "C" std::uint8_t __start___sancov_cntrs, __stop___sancov_cntrs;

namespace podium::fuzz {

void forget_this_run() {
  const auto bytes = static_cast<std::size_t>(&__stop___sancov_cntrs - &__start___sancov_cntrs);
  std::memset(&__start___sancov_cntrs, 0, bytes);
}

}  // namespace podium::fuzz
