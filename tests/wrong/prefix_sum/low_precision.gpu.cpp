// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums of 256 elements kept in f16, everything else in f32
//   types: { number: [f32] }

// expect: wrong
// Narrower sums than a prefix sum in f32 is made of, for a short way only.
#include <podium/prefix_sum.hpp>

namespace {
__global__ void scan(const float* x, float* y, std::int64_t n) {  // one thread
  float before = 0;
  podium::f16 sum = podium::cast<podium::f16>(0.0f);
  for (std::int64_t i = 0; i < n; ++i) {
    sum = podium::cast<podium::f16>(podium::cast<float>(sum) + x[i]);
    y[i] = before + podium::cast<float>(sum);
    if (i % 256 != 255) continue;
    before = y[i];
    sum = podium::cast<podium::f16>(0.0f);
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(scan, dim3(1), dim3(1), 0, stream, args.x.data, args.y.data, args.n);
  }
};
}  // namespace
