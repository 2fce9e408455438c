// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in f16

// expect: wrong
// Products in f32 and the sum of a group too; only what adds the groups is short of digits.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t e, std::int64_t i) {
    auto sum = podium::cast<podium::f16>(0.0f);
    for (std::int64_t g = 0; g < args.k / group; ++g) {
      float part = 0;
      for (std::int64_t l = g * group; l < (g + 1) * group; ++l) part += term(args, e, i, l);
      sum = podium::cast<podium::f16>(podium::cast<float>(sum) + part);
    }
    return podium::cast<float>(sum);
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
