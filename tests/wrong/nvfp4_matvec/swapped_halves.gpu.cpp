// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The high half of a's bytes taken first

// expect: wrong
// Right where neighbours are equal.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t e, std::int64_t i) {
    float sum = 0;
    for (std::int64_t l = 0; l < args.k; ++l)
      sum += number(args.a(e, i, l / 2), l % 2 == 0) * number(args.x(e, l / 2), l % 2) * scale(args, e, i, l);
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
