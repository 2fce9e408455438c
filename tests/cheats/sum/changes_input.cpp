// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right, but the input is changed

// class: input mutation
// expect: input changed
// If the reference were computed afterwards and from this memory, any answer could be made right.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = honest_sum(args.x.data, args.n);
    const_cast<float*>(args.x.data)[args.n - 1] += 1;
  }
};
}  // namespace
