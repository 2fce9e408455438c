// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in f16

// expect: wrong
// In f16 from end to end; what is added was computed in f32.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t i, std::int64_t j) {
    auto sum = podium::cast<podium::f16>(0.0f);
    for (std::int64_t l = 0; l < args.k; ++l)
      sum = podium::cast<podium::f16>(podium::cast<float>(sum) + term(args, i, j, l));
    return podium::cast<float>(sum);
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
