// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 crashes

// expect: crashed
// The others wait for it.
#include <csignal>

#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.team.rank == 1) std::raise(SIGSEGV);
    Honest::run(args, stream);
  }
};
}  // namespace
