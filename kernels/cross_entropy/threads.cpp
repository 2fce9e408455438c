// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole rows each, a vectorised exponential
//   author: Podium
//   source: after Milakov and Gimelshein, Online normalizer calculation for softmax, 2018

// A row goes by in stretches that stay in the first cache while they are widened, searched for their maximum
// and summed; when the maximum rises, the sum so far is scaled.
#include <podium/convert.hpp>
#include <podium/cross_entropy.hpp>
#include <podium/exponential.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>

namespace {
constexpr int lanes = 64;  // independent accumulators
constexpr std::int64_t stretch = 2048;

float largest(const float* x, std::int64_t n) {
  float peak[lanes];
  for (auto& p : peak) p = -INFINITY;
  std::int64_t v = 0;
  for (; v + lanes <= n; v += lanes)
    for (int l = 0; l < lanes; ++l) peak[l] = x[v + l] > peak[l] ? x[v + l] : peak[l];
  for (; v < n; ++v) peak[0] = x[v] > peak[0] ? x[v] : peak[0];
  for (int l = 1; l < lanes; ++l) peak[0] = peak[l] > peak[0] ? peak[l] : peak[0];
  return peak[0];
}

float sum_of_exponentials(const float* x, std::int64_t n, float peak) {
  float total[lanes] = {};
  std::int64_t v = 0;
  for (; v + lanes <= n; v += lanes)
    for (int l = 0; l < lanes; ++l) total[l] += podium::exponential(x[v + l] - peak);
  for (; v < n; ++v) total[0] += podium::exponential(x[v] - peak);
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) total[l] += total[l + width];
  return total[0];
}

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each(args.tokens, [&](std::int64_t t) {
      const problem::real* row = args.x.data + t * args.vocab;
      alignas(64) float x[stretch];
      float peak = -INFINITY, total = 0;
      for (std::int64_t at = 0; at < args.vocab; at += stretch) {
        const auto n = std::min(stretch, args.vocab - at);
        podium::widen(row + at, x, n);
        const float higher = std::fmax(peak, largest(x, n));
        if (higher == -INFINITY) continue;  // nothing but -inf so far, and -inf - -inf is no number
        total = total * podium::exponential(peak - higher) + sum_of_exponentials(x, n, higher);
        peak = higher;
      }
      args.loss(t) = std::log(total) + (peak - podium::cast<float>(row[args.target(t)]));
    });
  }
};
}  // namespace
