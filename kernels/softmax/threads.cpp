// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole rows each, a vectorised exponential
//   author: Podium

// Nearly all the time goes into exp, which a library computes one number at a time. Written without branches,
// as 2^k times a polynomial, a compiler turns it into vector code.
#include <podium/convert.hpp>
#include <podium/softmax.hpp>
#include <podium/threads.hpp>

#include <cmath>
#include <vector>

namespace {
using problem::real;
constexpr int lanes = 64;  // independent accumulators

// e^x for x <= 0; 0 where the result is far below the smallest normal float. Else the relative error is below
// 2^-22. x = k ln 2 + r with |r| <= ln 2 / 2; ln 2 is split in two, the first part so short that its product
// with k is exact. Degree 7 of the Taylor series leaves 0.35^8 / 8! = 6e-9.
inline float exponential(float x) {
  constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float lowest = -87.6f;           // k is -126 there, the least exponent of a normal float
  constexpr float to_integer = 12582912.0f;  // 1.5 * 2^23: added, it leaves the nearest integer in low bits
  const float in_range = x > lowest ? x : lowest;
  const float shifted = in_range * log2_e + to_integer, k = shifted - to_integer;
  const float r = (in_range - k * ln2_high) - k * ln2_low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  std::int32_t exponent;
  std::memcpy(&exponent, &shifted, sizeof exponent);
  const std::int32_t bits = (exponent - 0x4b400000 + 127) << 23;  // 0x4b400000: to_integer itself
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return x > lowest ? p * power : 0.0f;
}

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
    for (int l = 0; l < lanes; ++l) total[l] += x[j + l] = exponential(x[j + l] - peak);
  for (; j < n; ++j) total[0] += x[j] = exponential(x[j] - peak);
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
