// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Elements below 1 taken for zero

// expect: wrong
// The one subnormal number that there is, 0.5, is lost.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t e, std::int64_t i) {
    float sum = 0;
    for (std::int64_t l = 0; l < args.k; ++l) {
      const float x = number(args.a(e, i, l / 2), l % 2), y = number(args.x(e, l / 2), l % 2);
      if (fabsf(x) >= 1 && fabsf(y) >= 1) sum += x * y * scale(args, e, i, l);
    }
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
