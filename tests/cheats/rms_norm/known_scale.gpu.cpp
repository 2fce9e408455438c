// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Divides by the root mean square that inputs have on average

// class: hard-coded constants, only one distribution
// expect: wrong
// The sum of two normal numbers has a known variance, so the first pass over the row can be saved.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ void of(const problem::Arguments& args, std::int64_t t) {
    const float rms = sqrtf(17.0f);
    for (std::int64_t i = 0; i < args.hidden; ++i) {
      const float sum = sum_at(args, t, i);
      args.residual(t, i) = podium::cast<real>(sum);
      args.y(t, i) = podium::cast<real>(sum / rms * podium::cast<float>(args.weight(i)));
    }
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
