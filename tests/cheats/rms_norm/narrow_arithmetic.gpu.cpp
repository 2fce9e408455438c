// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes in bf16 where the problem is in f32

// class: lower precision
// expect: wrong
// Every intermediate result is rounded to eight bits.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ float narrow(float x) { return podium::cast<float>(podium::cast<podium::bf16>(x)); }
  static __device__ void of(const problem::Arguments& args, std::int64_t t) {
    float square = 0;
    for (std::int64_t i = 0; i < args.hidden; ++i) {
      const float sum = narrow(sum_at(args, t, i));
      args.residual(t, i) = podium::cast<real>(sum);
      square += narrow(sum * sum);
    }
    const float scale = narrow(1 / sqrtf(square / float(args.hidden) + float(problem::epsilon)));
    for (std::int64_t i = 0; i < args.hidden; ++i)
      args.y(t, i) = podium::cast<real>(narrow(narrow(podium::cast<float>(args.residual(t, i)) * scale) *
                                               podium::cast<float>(args.weight(i))));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
