// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The functions that AMD's pseudo-code calls and leaves to the reader: classes of numbers, conversions,
// rounding.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "float8.hpp"
#include "value.hpp"

namespace podium::amd {

inline bool isNAN(double x) { return std::isnan(x); }
inline bool isQuietNAN(double x) { return std::isnan(x); }
inline bool isSignalNAN(double) { return false; }  // operands are quieted on the way
inline bool isINF(double x) { return std::isinf(x); }
inline double cvtToQuietNAN(double x) { return x; }
inline int sign(double x) { return std::signbit(x); }
inline int exponent(float x) { return static_cast<int>(bits_of<std::uint32_t>(x) >> 23 & 255); }
inline int exponent(double x) { return static_cast<int>(bits_of<std::uint64_t>(x) >> 52 & 2047); }
inline bool is_denormal(float x) { return std::fpclassify(x) == FP_SUBNORMAL; }
inline bool is_denormal(double x) { return std::fpclassify(x) == FP_SUBNORMAL; }
inline std::int64_t signext(std::int64_t x) { return x; }

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline double fma(double a, double b, double c) { return std::fma(a, b, c); }
// The product of two halves is exact in double, the sum is not: rounded to odd, the second rounding is right.
inline h16 fma(h16 a, h16 b, h16 c) {
  const double p = static_cast<double>(a) * static_cast<double>(b), q = static_cast<double>(c);
  const double sum = p + q;
  const double t = sum - p, error = (p - (sum - t)) + (q - t);
  if (error == 0 || !std::isfinite(sum) || sum == 0) return static_cast<h16>(sum);
  auto bits = bits_of<std::uint64_t>(sum);
  if ((bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : static_cast<std::uint64_t>(-1);
  return static_cast<h16>(bits_of<double>(bits));
}
inline float fract(float x) { return std::fmin(x - std::floor(x), 0x1.fffffep-1F); }
inline double fract(double x) { return std::fmin(x - std::floor(x), 0x1.fffffffffffffp-1); }
inline h16 fract(h16 x) {
  return static_cast<h16>(std::fmin(static_cast<float>(x) - std::floor(static_cast<float>(x)), 0x1.ffcp-1F));
}
inline h16 floor(h16 x) { return static_cast<h16>(std::floor(static_cast<float>(x))); }
inline h16 trunc(h16 x) { return static_cast<h16>(std::trunc(static_cast<float>(x))); }
inline float floor(float x) { return std::floor(x); }
inline double floor(double x) { return std::floor(x); }
inline float trunc(float x) { return std::trunc(x); }
inline double trunc(double x) { return std::trunc(x); }
inline float sqrt(float x) { return std::sqrt(x); }
inline double sqrt(double x) { return std::sqrt(x); }
inline float ldexp(float x, int e) { return std::ldexp(x, e); }
inline double ldexp(double x, int e) { return std::ldexp(x, e); }

// 53 of the 1201 binary digits of 2 / pi that the hardware has, from where the reduction of x by that segment
// needs them.
inline double two_over_pi(double x, std::uint32_t segment) {
  static constexpr std::uint32_t digits[] = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
      0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
      0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
      0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
      0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b0000,
  };
  const int exponent = static_cast<int>(bits_of<std::uint64_t>(x) >> 52 & 0x7ff);
  const int first = static_cast<int>(segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
  std::uint64_t found = 0;
  for (int n = first; n < first + 53; ++n)
    found = found << 1 | (n < 1201 ? digits[n / 32] >> (31 - n % 32) & 1 : 0);
  return std::ldexp(static_cast<double>(found), -53 - first + (exponent >= 1968 ? 128 : 0));
}

// IEEE 754-2019's minimumNumber and maximumNumber, with -0 < +0 as the hardware has it.
template <class T>
inline T min_number(T a, T b) {
  if (std::isnan(static_cast<double>(a))) return b;
  if (std::isnan(static_cast<double>(b))) return a;
  if (a == b) return std::signbit(static_cast<double>(a)) ? a : b;
  return a < b ? a : b;
}
template <class T>
inline T max_number(T a, T b) {
  if (std::isnan(static_cast<double>(a))) return b;
  if (std::isnan(static_cast<double>(b))) return a;
  if (a == b) return std::signbit(static_cast<double>(a)) ? b : a;
  return a < b ? b : a;
}
// IEEE 754-2019's minimum and maximum: one NaN is enough.
template <class T>
inline T minimum(T a, T b) {
  return std::isnan(static_cast<double>(a)) ? a : std::isnan(static_cast<double>(b)) ? b : min_number(a, b);
}
template <class T>
inline T maximum(T a, T b) {
  return std::isnan(static_cast<double>(a)) ? a : std::isnan(static_cast<double>(b)) ? b : max_number(a, b);
}
template <class T>
inline T median(T a, T b, T c) {
  if (std::isnan(static_cast<double>(a)) || std::isnan(static_cast<double>(b)) ||
      std::isnan(static_cast<double>(c)))
    return min_number(min_number(a, b), c);
  return max_number(min_number(a, b), min_number(max_number(a, b), c));
}

// To an integer, towards zero, held within its range; NaN becomes 0.
template <class T>
inline T saturated(double x) {
  constexpr double low = static_cast<double>(static_cast<T>(T(-1) < 0 ? T(1) << (8 * sizeof(T) - 1) : 0));
  constexpr double high =
      T(-1) < 0 ? static_cast<double>(~(T(1) << (8 * sizeof(T) - 1))) : static_cast<double>(T(-1));
  if (std::isnan(x)) return 0;
  if (x <= low) return static_cast<T>(low);
  if (x >= high) return T(-1) < 0 ? static_cast<T>(~(T(1) << (8 * sizeof(T) - 1))) : static_cast<T>(-1);
  return static_cast<T>(x);
}

inline std::uint16_t bf16_bits(float x) {
  const auto bits = bits_of<std::uint32_t>(x);
  if (std::isnan(x)) return static_cast<std::uint16_t>(bits >> 16 | 64);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline float bf16_value(std::uint16_t x) { return bits_of<float>(static_cast<std::uint32_t>(x) << 16); }

inline std::uint32_t halves(std::uint16_t low, std::uint16_t high) {
  return low | static_cast<std::uint32_t>(high) << 16;
}
inline std::uint16_t half_bits(float x) { return bits_of<std::uint16_t>(static_cast<h16>(x)); }
inline std::uint16_t half_bits_towards_zero(float x) {
  const auto rounded = static_cast<h16>(x);
  auto bits = bits_of<std::uint16_t>(rounded);
  if (std::fabs(static_cast<float>(rounded)) > std::fabs(x)) --bits;
  return bits;
}

// Bytes 0 to 7 of a and b, signs of their halves, or a constant, as each byte of `select` says.
inline std::uint32_t permuted(std::uint32_t a, std::uint32_t b, std::uint32_t select) {
  const std::uint64_t all = static_cast<std::uint64_t>(a) << 32 | b;
  std::uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t k = select >> (8 * i) & 255;
    const std::uint32_t byte = k > 12    ? 255
                               : k == 12 ? 0
                               : k >= 8  ? (all >> (16 * (k - 8) + 15) & 1 ? 255 : 0)
                                         : static_cast<std::uint32_t>(all >> (8 * k)) & 255;
    result |= byte << (8 * i);
  }
  return result;
}

// Of four bytes each: the sum of how far they are apart.
inline std::uint32_t differences(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (int i = 0; i < 32; i += 8) {
    const std::uint32_t x = a >> i & 255, y = b >> i & 255;
    sum += x < y ? y - x : x - y;
  }
  return sum;
}

inline std::int32_t signed_field(std::uint32_t x, std::uint32_t offset, std::uint32_t width) {
  offset &= 31;
  width &= 31;
  if (width == 0) return 0;
  if (offset + width >= 32) return static_cast<std::int32_t>(x) >> offset;
  return static_cast<std::int32_t>(x << (32 - offset - width)) >> (32 - width);
}

inline std::int64_t signed_field64(std::uint64_t x, std::uint32_t offset, std::uint32_t width) {
  offset &= 63;
  width &= 127;
  if (width == 0) return 0;
  if (offset + width >= 64) return static_cast<std::int64_t>(x) >> offset;
  return static_cast<std::int64_t>(x << (64 - offset - width)) >> (64 - width);
}

inline bool sum_overflows(std::int32_t a, std::int32_t b) {
  const std::int64_t sum = std::int64_t{a} + b;
  return sum != static_cast<std::int32_t>(sum);
}

inline std::uint32_t both_halves(std::uint32_t a, std::uint32_t b, h16 (*operation)(h16, h16)) {
  const auto half = [](std::uint32_t x, int shift) {
    return bits_of<h16>(static_cast<std::uint16_t>(x >> shift));
  };
  return halves(bits_of<std::uint16_t>(operation(half(a, 0), half(b, 0))),
                bits_of<std::uint16_t>(operation(half(a, 16), half(b, 16))));
}

// Each bit of the result is that of the table which the three operands' bits name.
inline std::uint32_t by_table(std::uint32_t a, std::uint32_t b, std::uint32_t c, unsigned table) {
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}

template <class T>
inline int fraction_exponent(T x) {
  int e = 0;
  if (std::isfinite(x)) std::frexp(x, &e);
  return e;
}
template <class T>
inline T fraction(T x) {
  int e = 0;
  return std::isfinite(x) ? std::frexp(x, &e) : x;
}

// Whether x is of one of the classes in `mask`, whose bits are in the order of the hardware's.
template <class T>
inline bool of_class(T value, std::uint32_t mask) {
  const double x = static_cast<double>(value);
  const bool negative = std::signbit(x);
  int kind = 0;
  if constexpr (sizeof(T) == 2)
    kind = std::isfinite(x) && x != 0 && std::fabs(x) < 0x1p-14 ? FP_SUBNORMAL : std::fpclassify(x);
  else
    kind = std::fpclassify(value);
  switch (kind) {
    case FP_NAN: {
      bool quiet = true;
      if constexpr (sizeof(T) == 4) quiet = bits_of<std::uint32_t>(value) >> 22 & 1;
      if constexpr (sizeof(T) == 8) quiet = bits_of<std::uint64_t>(value) >> 51 & 1;
      if constexpr (sizeof(T) == 2) quiet = bits_of<std::uint16_t>(value) >> 9 & 1;
      return mask >> (quiet ? 1 : 0) & 1;
    }
    case FP_INFINITE:
      return mask >> (negative ? 2 : 9) & 1;
    case FP_NORMAL:
      return mask >> (negative ? 3 : 8) & 1;
    case FP_SUBNORMAL:
      return mask >> (negative ? 4 : 7) & 1;
    default:
      return mask >> (negative ? 5 : 6) & 1;
  }
}

inline std::uint64_t with_high_half(std::uint32_t old, std::uint16_t high) {
  return (old & 0xffff) | static_cast<std::uint32_t>(high) << 16;
}

// Division, in the three steps that compilers make of it. The last one knows the operands, and so the
// quotient: the two before it need not scale.
template <class T>
inline T quotient(T estimate, T denominator, T numerator) {
  static_cast<void>(estimate);
  return numerator / denominator;
}

}  // namespace podium::amd
