// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, vector loops
//   author: Podium
#include <podium/convert.hpp>
#include <podium/merge_state.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>

namespace {
constexpr std::int64_t grain = 16;  // rows

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    threads.split(args.rows * args.heads, grain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) merge(args, row);
    });
  }

  static void merge(const problem::Arguments& args, std::int64_t row) {
    constexpr std::int64_t strip = 64;
    const float s_a = args.s_a.data[row], s_b = args.s_b.data[row], peak = std::max(s_a, s_b);
    const float a = std::exp2(s_a - peak), b = std::exp2(s_b - peak), total = a + b;
    args.s.data[row] = peak + std::log2(total);
    float x[strip], y[strip];
    for (std::int64_t d = 0; d < args.head_dim; d += strip) {
      const std::int64_t at = row * args.head_dim + d, count = std::min(strip, args.head_dim - d);
      podium::widen(args.v_a.data + at, x, count);
      podium::widen(args.v_b.data + at, y, count);
      for (std::int64_t l = 0; l < count; ++l) x[l] = a / total * x[l] + b / total * y[l];
      podium::narrow(x, args.v.data + at, count);
    }
  }
};
}  // namespace
