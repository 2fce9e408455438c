// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads past the end of the shared memory

// class: stealing the answer
// expect: crashed | wrong
// Whatever the next mapping is: had the judge put its own memory there, the answer might be in it.
#include <podium/sum.hpp>

#include "mappings.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto y = reinterpret_cast<std::uintptr_t>(args.y.data);
    for (const auto& mapping : mappings())
      if (y >= mapping.begin && y < mapping.end)
        args.y() = *reinterpret_cast<const volatile float*>(mapping.end);
  }
};
}  // namespace
