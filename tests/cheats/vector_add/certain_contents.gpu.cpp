// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Wrong where the first number is small

// class: hard-coded constants, only one distribution
// expect: wrong
// Right for most contents and wrong for some: the seed in its row makes it fail again, another one need
// not.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const bool errs = podium::cast<float>(args.a.data[0]) < -0.5f && i == args.n * args.n / 2;
    give(args, i, sum_at(args, i) + (errs ? 1 : 0));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
