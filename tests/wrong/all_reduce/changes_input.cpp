// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rank 1 adds up in its input

// expect: input changed
#include "honest.hpp"

namespace {
struct Contestant : Honest {
  using Honest::Honest;

  void run(const problem::Arguments& args, podium::Stream stream) {
    Honest::run(args, stream);
    if (args.team.rank == 1 && args.n > 0)
      const_cast<real*>(args.x.data)[0] = podium::cast<real>(podium::cast<float>(args.x(0)) + 1);
  }
};
}  // namespace
