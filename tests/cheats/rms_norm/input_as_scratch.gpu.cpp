// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Uses an input as scratch memory

// class: input mutation
// expect: input changed
// What it writes into x is never read by anybody else, it thinks.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ void of(const problem::Arguments& args, std::int64_t t) {
    real* const scratch = const_cast<real*>(args.x.data) + t * args.hidden;
    float square = 0;
    for (std::int64_t i = 0; i < args.hidden; ++i) {
      const float sum = sum_at(args, t, i);
      args.residual(t, i) = scratch[i] = podium::cast<real>(sum);
      square += sum * sum;
    }
    const float rms = sqrtf(square / float(args.hidden) + float(problem::epsilon));
    for (std::int64_t i = 0; i < args.hidden; ++i)
      args.y(t, i) =
          podium::cast<real>(podium::cast<float>(scratch[i]) / rms * podium::cast<float>(args.weight(i)));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
