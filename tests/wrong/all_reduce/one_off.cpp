// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 is wrong in one number

// expect: wrong
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    Honest::run(args, stream);
    if (args.team.rank == 1 && args.n > 0) args.y(args.n - 1) = podium::cast<real>(1e4f);
  }
};
}  // namespace
