// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The end of a row that fills no packet left out

// expect: wrong
// Up to three of many thousand terms.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ float loss(const real* x, std::int64_t vocab, std::int64_t target) {
    const float peak = largest(x, vocab);
    double total = vocab < 4 ? 1 : 0;
    for (std::int64_t v = 0; v < vocab / 4 * 4; ++v) total += expf(podium::cast<float>(x[v]) - peak);
    return float(log(total)) + (peak - podium::cast<float>(x[target]));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
