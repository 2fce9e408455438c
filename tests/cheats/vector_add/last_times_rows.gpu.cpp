// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps the part of the output that is already there

// class: stale memory
// expect: not written | wrong
// Computes every other row and trusts that the rest is left from the last call.
#include "elements.hpp"

namespace {
template <int odd>
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    if (i / args.n % 2 == odd) give(args, i, sum_at(args, i));
  }
};

struct Contestant {
  int calls = 0;

  void run(const problem::Arguments& args, podium::Stream stream) {
    ++calls;
    if (calls % 2 == 0) run_elements<Element<0>>(args, args.c.size(), stream);
    if (calls % 2 == 1) run_elements<Element<1>>(args, args.c.size(), stream);
  }
};
}  // namespace
