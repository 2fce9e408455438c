// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole rows each, a vectorised exponential
//   author: Podium

#include <podium/convert.hpp>
#include <podium/exponential.hpp>
#include <podium/softmax.hpp>
#include <podium/threads.hpp>

#include <cmath>
#include <vector>

namespace {
using problem::real;
constexpr int lanes = 64;  // independent accumulators

float largest(const float* x, std::int64_t n) {
  float peak[lanes];
  for (auto& p : peak) p = -INFINITY;
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (int l = 0; l < lanes; ++l) peak[l] = x[j + l] > peak[l] ? x[j + l] : peak[l];
  for (; j < n; ++j) peak[0] = x[j] > peak[0] ? x[j] : peak[0];
  for (int l = 1; l < lanes; ++l) peak[0] = peak[l] > peak[0] ? peak[l] : peak[0];
  return peak[0];
}

float exponentials(float* x, std::int64_t n, float peak) {  // in place; returns their sum
  float total[lanes] = {};
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes)
    for (int l = 0; l < lanes; ++l) total[l] += x[j + l] = podium::exponential(x[j + l] - peak);
  for (; j < n; ++j) total[0] += x[j] = podium::exponential(x[j] - peak);
  for (int width = lanes / 2; width > 0; width /= 2)
    for (int l = 0; l < width; ++l) total[l] += total[l + width];
  return total[0];
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> buffers;  // a row for every thread

  explicit Contestant(const problem::Workload& w)
      : buffers(std::size_t(threads.count()), std::vector<float>(std::size_t(w.cols))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      float* row = buffers[std::size_t(member)].data();
      const auto [begin, end] = threads.share(args.rows, 1, member);
      for (auto i = begin; i < end; ++i) {
        podium::widen(args.x.data + i * args.cols, row, args.cols);
        const float scale = 1 / exponentials(row, args.cols, largest(row, args.cols));
        for (std::int64_t j = 0; j < args.cols; ++j) row[j] *= scale;
        podium::narrow(row, args.y.data + i * args.cols, args.cols);
      }
    });
  }
};
}  // namespace
