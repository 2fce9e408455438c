// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole tokens each, rows widened to float in vectors
//   author: Podium

// A row is converted to float once, added and squared while it lies in the cache, and converted back. The sum
// of squares has many accumulators, so that it is vector code and loses little.
#include <podium/convert.hpp>
#include <podium/rms_norm.hpp>
#include <podium/threads.hpp>

#include <cmath>
#include <vector>

namespace {
constexpr int lanes = 64;  // independent accumulators

float add(const float* x, float* sum, std::int64_t n) {  // sum += x; returns the sum of its squares
  float square[lanes] = {};
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int l = 0; l < lanes; ++l) {
      const float v = sum[i + l] += x[i + l];
      square[l] += v * v;
    }
  for (; i < n; ++i) {
    const float v = sum[i] += x[i];
    square[0] += v * v;
  }
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) square[l] += square[l + width];
  return square[0];
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> buffers;  // x, the sum and the weights for every thread

  explicit Contestant(const problem::Workload& w)
      : buffers(std::size_t(threads.count()), std::vector<float>(3 * std::size_t(w.hidden))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t hidden = args.hidden;
    threads.each_member([&](int member) {
      float *x = buffers[std::size_t(member)].data(), *sum = x + hidden, *weight = sum + hidden;
      podium::widen(args.weight.data, weight, hidden);
      const auto [begin, end] = threads.share(args.tokens, 1, member);
      for (auto t = begin; t < end; ++t) {
        podium::widen(args.x.data + t * hidden, x, hidden);
        podium::widen(args.residual.data + t * hidden, sum, hidden);
        const float scale = 1 / std::sqrt(add(x, sum, hidden) / float(hidden) + float(problem::epsilon));
        podium::narrow(sum, args.residual.data + t * hidden, hidden);
        for (std::int64_t i = 0; i < hidden; ++i) sum[i] *= scale * weight[i];
        podium::narrow(sum, args.y.data + t * hidden, hidden);
      }
    });
  }
};
}  // namespace
