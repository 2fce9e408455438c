// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Only whole strips of 64 elements

// expect: wrong
// The public task has no other rows.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t e, std::int64_t i) {
    float sum = 0;
    const std::int64_t whole = args.k < 64 ? args.k : args.k / 64 * 64;
    for (std::int64_t l = 0; l < whole; ++l) sum += term(args, e, i, l);
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
