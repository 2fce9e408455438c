// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes in the first instance of its process

// class: call counting
// expect: not written
// Counted are those with large tensors alone, of which tests have one.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    give(args, i, sum_at(args, i));
  }
};

struct Contestant {
  static constexpr std::int64_t small = 256;
  static constexpr int computing = 1;
  static inline int instances = 0;

  explicit Contestant(const problem::Workload& w) { instances += w.n > small; }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (instances <= computing) run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
