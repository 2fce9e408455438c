// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 ends

// expect: exited
// The others wait for it.
#include <unistd.h>

#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.team.rank == 1) _exit(3);
    Honest::run(args, stream);
  }
};
}  // namespace
