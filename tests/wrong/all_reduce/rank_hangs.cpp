// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 does not come

// expect: hung
// The others wait for it where they meet, and are not to blame.
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    while (args.team.rank == 1) sched_yield();
    Honest::run(args, stream);
  }
};
}  // namespace
