// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 writes behind its part

// expect: out of bounds
// Where the next rank would be if parts lay one behind the other.
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    Honest::run(args, stream);
    if (args.team.rank == 1 && args.n > 0) args.y.data[args.n] = args.y.data[0];
  }
};
}  // namespace
