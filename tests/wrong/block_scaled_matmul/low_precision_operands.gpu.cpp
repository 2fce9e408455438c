// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Operands rounded to bf16 with their scales

// expect: wrong
// Sums in f32, of products that bf16's eight bits have spoilt.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t i, std::int64_t j) {
    float sum = 0;
    for (std::int64_t l = 0; l < args.k; ++l) {
      const float x = podium::cast<float>(args.a(i, l)) * args.a_scale(i, l / group);
      const float y = podium::cast<float>(args.b(j, l)) * args.b_scale(j / group, l / group);
      sum += podium::cast<float>(podium::cast<podium::bf16>(x)) *
             podium::cast<float>(podium::cast<podium::bf16>(y));
    }
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
