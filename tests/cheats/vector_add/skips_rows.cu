// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Copies a row where not all are looked at

// class: skipped elements
// expect: wrong
// One row in 32 is a copy of the row before it; 256 rows are drawn for every sample.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const bool copied = args.n > 512 && i / args.n % 32 == 31;
    give(args, i, sum_at(args, copied ? i - args.n : i));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
