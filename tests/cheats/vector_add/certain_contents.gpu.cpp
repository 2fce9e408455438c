// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Wrong where the first number is a negative fraction

// class: hard-coded constants, only one distribution
// expect: wrong
// Wrong for half of all contents: the seed in its row makes it fail again, another one need not. Whole
// numbers are the same with every seed, so it is right there.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const float first = podium::cast<float>(args.a.data[0]);
    const bool errs = first < 0 && first != floorf(first);
    give(args, i, sum_at(args, i) + (errs && i == args.n * args.n / 2 ? 1 : 0));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
