// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What kernels that quantize may make of numbers which they know within some distance.
#pragma once
#include "nvfp4.hpp"
#include "rounded.hpp"

namespace checked {

struct Near {
  double number, off;
};

inline double silu(double x) { return x / (1 + std::exp(-x)); }

// T(T(silu(g)) u), where g and u were rounded.
template <class T>
Near silu_times(Near gate, Near up) {
  const double g = silu(gate.number);
  double apart = 0;
  for (const double x : {gate.number - gate.off, gate.number + gate.off})
    apart = std::max(apart, std::fabs(silu(x) - g));
  apart += rounded<T>(std::fabs(g) + apart, 2e-6);
  const double most = apart * (std::fabs(up.number) + up.off) + std::fabs(g) * up.off;
  const double result = g * up.number;
  return {result, most + rounded<T>(std::fabs(result) + most, 2e-6)};
}

// A number of e2m1 is the one nearest to it, up to 6; beyond 4 the step is 2.
inline double half_step_of_e2m1(double number) {
  const double size = std::fabs(number);
  return size <= 2 ? .25 : size <= 4 ? .5 : 1;
}

struct Largest {
  Largest(const double* h, const double* off, int count) {
    for (int l = 0; l < count; ++l) most = std::max(most, std::fabs(h[l])), apart = std::max(apart, off[l]);
  }
  double most = 0, apart = 0;
};

// `numbers` of e4m3 with the least power of two that makes the largest of them 448 at most.
inline void compare_mxfp8(Verdict& verdict, const double* numbers, std::uint8_t exponent, const double* h,
                          const double* off, int count) {
  const Largest of(h, off, count);
  if (of.most + of.apart > 0) {
    const auto exponent_of = [](double most) { return std::ceil(std::log2(most / 448)) + 127; };
    const double least = exponent_of((of.most - of.apart) * (1 - 1e-6)),
                 largest = exponent_of((of.most + of.apart) * (1 + 1e-6));
    verdict.compare(exponent, std::min(std::max(least, double(exponent)), largest), 1e-9);
  }
  const double factor = std::ldexp(1., exponent - 127);
  for (int l = 0; l < count; ++l) {
    const double number = h[l] / factor, apart = off[l] / factor;
    verdict.compare(numbers[l], number, apart + rounded<__nv_fp8_e4m3>(std::fabs(number) + apart, 1e-6));
  }
}

// `numbers` of e2m1 with a factor of e4m3 that makes 6 of the largest of them times `whole`.
inline void compare_nvfp4(Verdict& verdict, const double* numbers, double factor, double whole,
                          const double* h, const double* off, int count) {
  const Largest of(h, off, count);
  const double exact = whole * of.most / 6, apart = whole * of.apart / 6;
  verdict.compare(factor, exact, apart + rounded<__nv_fp8_e4m3>(exact + apart, 1e-5));
  for (int l = 0; l < count; ++l) {
    const double by = factor > 0 ? whole / factor : 0, number = h[l] * by, distance = off[l] * by;
    verdict.compare(numbers[l], number, distance + half_step_of_e2m1(std::fabs(number) + distance) + 1e-5);
  }
}

}  // namespace checked
