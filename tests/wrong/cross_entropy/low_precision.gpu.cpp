// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in f16

// expect: wrong
// As favourable as f16 can be: exponentials in f32, 256 partial sums, which are added as a tree.
#include "rows.hpp"

namespace {
struct Row {
  static __device__ float loss(const real* x, std::int64_t vocab, std::int64_t target) {
    constexpr int parts = 256;
    const float peak = largest(x, vocab);
    podium::f16 total[parts];
    for (auto& t : total) t = podium::cast<podium::f16>(0.0f);
    const auto add = [&](int part, float term) {
      total[part] = podium::cast<podium::f16>(podium::cast<float>(total[part]) + term);
    };
    for (std::int64_t v = 0; v < vocab; ++v) add(int(v % parts), expf(podium::cast<float>(x[v]) - peak));
    for (int half = parts / 2; half > 0; half /= 2)
      for (int p = 0; p < half; ++p) add(p, podium::cast<float>(total[p + half]));
    return logf(podium::cast<float>(total[0])) + (peak - podium::cast<float>(x[target]));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_rows<Row>(args, stream); }
};
}  // namespace
