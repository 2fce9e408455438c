// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Every token's target taken for the class before it

// expect: wrong
// Classes counted from 1.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ float loss(const real* x, std::int64_t vocab, std::int64_t target) {
    const float peak = largest(x, vocab);
    double total = 0;
    for (std::int64_t v = 0; v < vocab; ++v) total += expf(podium::cast<float>(x[v]) - peak);
    return float(log(total)) + (peak - podium::cast<float>(x[target > 0 ? target - 1 : 0]));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
