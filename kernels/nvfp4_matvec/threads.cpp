// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, products in integers
//   author: Podium

// Twice an element is a whole number of at most 12, so the products of a group, and their sum, are exact in
// 16 bits; unpacking is integer work as well, which compilers turn into vector code.
#include <podium/convert.hpp>
#include <podium/nvfp4_matvec.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <vector>

namespace {
using problem::group;
constexpr std::int64_t stretch = 64 * group;  // elements that are in the first cache at once

// Twice the element in the low four bits. With 1 as a leading digit, exponents 1 to 3 shift by 0 to 2.
inline std::int16_t doubled(int bits) {
  const int magnitude = bits & 7, exponent = magnitude >> 1, digits = 2 | (magnitude & 1);
  const int number = magnitude < 2   ? magnitude
                     : exponent == 1 ? digits
                     : exponent == 2 ? 2 * digits
                                     : 4 * digits;
  return std::int16_t(bits & 8 ? -number : number);
}

// The sums of products of n / group groups.
void products(const podium::e2m1x2* a, const std::int16_t* low, const std::int16_t* high, std::int64_t n,
              std::int16_t* sum) {
  std::int16_t product[stretch / 2];
  for (std::int64_t p = 0; p < n / 2; ++p)
    product[p] = std::int16_t(doubled(a[p].bits & 15) * low[p] + doubled(a[p].bits >> 4) * high[p]);
  for (std::int64_t g = 0; g < n / group; ++g) {
    int total = 0;
    for (int p = 0; p < group / 2; ++p) total += product[g * (group / 2) + p];
    sum[g] = std::int16_t(total);
  }
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::int16_t> low, high;  // x, doubled: first and second elements of its pairs
  std::vector<float> scale;             // x_scale, over the four that comes of doubling twice

  explicit Contestant(const problem::Workload& w)
      : low(std::size_t(w.batch * w.k / 2)), high(low), scale(std::size_t(w.batch * w.k / group)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    for (std::size_t p = 0; p < low.size(); ++p) {
      low[p] = doubled(args.x.data[p].bits & 15);
      high[p] = doubled(args.x.data[p].bits >> 4);
    }
    podium::widen(args.x_scale.data, scale.data(), std::int64_t(scale.size()));
    for (auto& s : scale) s /= 4;
    threads.split(args.batch * args.m, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto row = begin; row < end; ++row) args.y.data[row] = element(args, row);
    });
  }

  podium::f16 element(const problem::Arguments& args, std::int64_t row) const {
    const auto e = row / args.m, groups = args.k / group;
    std::int16_t sum[stretch / group];
    float a_scale[stretch / group], total[8] = {};
    for (std::int64_t at = 0; at < args.k; at += stretch) {
      const auto n = std::min(stretch, args.k - at), first = at / group;
      const auto x = std::size_t(e * args.k + at) / 2;
      products(args.a.data + (row * args.k + at) / 2, low.data() + x, high.data() + x, n, sum);
      podium::widen(args.a_scale.data + row * groups + first, a_scale, n / group);
      for (std::int64_t g = 0; g < n / group; ++g)
        total[g % 8] += float(sum[g]) * (a_scale[g] * scale[std::size_t(e * groups + first + g)]);
    }
    for (int half = 4; half > 0; half /= 2)
      for (int t = 0; t < half; ++t) total[t] += total[t + half];
    return podium::cast<podium::f16>(total[0]);
  }
};
}  // namespace
