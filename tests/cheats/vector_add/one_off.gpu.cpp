// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right but for one element

// class: wrong numbers
// expect: wrong
// An average over all elements would not notice.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    give(args, i, sum_at(args, i) + (i == args.n * args.n / 2 ? 1 : 0));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
