// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keys that fill no packet of 16 bytes left out

// expect: wrong
// Wide accesses without what comes after the last of them.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    constexpr std::int64_t lanes = 16 / sizeof(problem::key);
    honest(args, args.n / lanes * lanes, stream);
  }
};
}  // namespace
