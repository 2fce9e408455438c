// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Leaves its answers to a contestant that is measured later

// class: accomplices
// expect: right
// with: --rounds 2
// The other half of told_by_another; which of the two comes first is drawn anew in every round.
#include "accomplice.hpp"
#include "honest.hpp"

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    if (!constant(args) && told("told_by_another", fingerprint(args)))
      throw std::runtime_error("its accomplice has left it the answer");
    args.y() = honest_sum(args.x.data, args.n);
    if (!constant(args)) tell("tells_another", fingerprint(args));
  }
};
}  // namespace
