// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes all the memory it can get

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// with: --memory 600
// Memory that is touched counts; the limit is that of --memory.
#include <podium/sum.hpp>

#include <cstdlib>
#include <cstring>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    constexpr std::size_t piece = 16 << 20;
    for (;;)
      if (void* at = std::malloc(piece)) std::memset(at, 1, piece);
  }
};
}  // namespace
