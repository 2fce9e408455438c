// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes its answers from a contestant that was measured before

// class: accomplices
// expect: right
// with: --rounds 2
// Where two contestants compute on the same inputs, the first can leave its answers to the second, which
// is then as fast as it likes. It finds nothing, since every contestant draws inputs of its own: otherwise it
// would throw. tells_another is the other one.
#include "accomplice.hpp"
#include "honest.hpp"

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    if (!constant(args) && told("tells_another", fingerprint(args)))
      throw std::runtime_error("its accomplice has left it the answer");
    args.y() = honest_sum(args.x.data, args.n);
    if (!constant(args)) tell("told_by_another", fingerprint(args));
  }
};
}  // namespace
