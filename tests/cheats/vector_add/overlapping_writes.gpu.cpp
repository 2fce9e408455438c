// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes whole packets past the end of the tensor

// class: out-of-bounds writes
// expect: out of bounds
// Eight elements at a time, rounded up: fast, and somebody else's memory.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const std::int64_t size = args.n * args.n;
    give(args, i, sum_at(args, i < size ? i : size - 1));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, podium::ceil_div(args.c.size(), 8) * 8, stream);
  }
};
}  // namespace
