// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Conversion between element types and the judge's numbers: exact widening, one rounding to nearest even.
#pragma once
#include "small_floats.hpp"

namespace podium::program {

template <class T>
struct Limits;  // of floating element types: spacing above 1, smallest normal, largest finite
template <>
struct Limits<f64> {
  static constexpr double eps = 0x1p-52, smallest_normal = 0x1p-1022, largest = 0x1.fffffffffffffp1023;
};
template <>
struct Limits<f32> {
  static constexpr double eps = 0x1p-23, smallest_normal = 0x1p-126, largest = 0x1.fffffep127;
};
template <>
struct Limits<f16> {
  static constexpr double eps = 0x1p-10, smallest_normal = 0x1p-14, largest = 65504;
};
template <>
struct Limits<bf16> {
  static constexpr double eps = 0x1p-7, smallest_normal = 0x1p-126, largest = 0x1.fep127;
};

template <class T>
inline constexpr bool is_float_element = is_any<T, f64, f32, f16, bf16> || is_small_float<T>;
template <class T>
inline constexpr bool is_unsigned_64 = is_any<T, unsigned long, unsigned long long>;

// The smallest and largest value of an integer element type.
template <class T>
inline constexpr i64 lowest_integer = T(-1) < T(0) ? -(i64(1) << (8 * sizeof(T) - 2)) * 2 : 0;
template <class T>
inline constexpr u64 largest_integer =
    T(-1) < T(0) ? (u64(1) << (8 * sizeof(T) - 1)) - 1 : ~u64(0) >> (64 - 8 * sizeof(T));
template <>
inline constexpr i64 lowest_integer<boolean> = 0;
template <>
inline constexpr u64 largest_integer<boolean> = 1;

// fp64 to a binary format of `mantissa` stored bits and `exponent` exponent bits, to nearest even in one
// step; beyond the largest finite number infinity, NaN stays a quiet NaN. bounded: as for narrow().
template <int exponent, int mantissa, bool bounded>
PODIUM_DEVICE u32 round_to(double x) {
  constexpr int bias = (1 << (exponent - 1)) - 1;
  constexpr u32 infinity = ((1u << exponent) - 1) << mantissa;
  const u64 bits = bits_of(x), magnitude = bits & ~double_sign;
  const u32 sign = u32(bits >> 63) << (exponent + mantissa);
  u32 result = rounded_code<bias, mantissa>(magnitude);
  if (result > infinity || !(bounded || is_rounded(magnitude))) result = infinity;
  if (!bounded && x != x) result = infinity | (1u << (mantissa - 1));
  return sign | result;
}

// The judge's number for an element: double, i64, or u64 for u64.
PODIUM_DEVICE double widen(f64 x) { return x; }
PODIUM_DEVICE double widen(f32 x) { return double(x); }
PODIUM_DEVICE double widen(bf16 x) { return double(float_of(u32(x.bits) << 16)); }
PODIUM_DEVICE double widen(f16 x) {
  const u32 magnitude = x.bits & 0x7fffu;
  const u64 sign = u64(x.bits >> 15) << 63;
  if (magnitude >= 0x7c00u) return double_of(sign | double_infinity | (u64(magnitude & 0x3ffu) << 42));
  const double scaled = double_of(u64(magnitude) << 42) * 0x1p1008;  // exact, subnormals of f16 included
  return double_of(bits_of(scaled) | sign);
}
PODIUM_DEVICE i64 widen(i64 x) { return x; }
PODIUM_DEVICE i64 widen(i32 x) { return x; }
PODIUM_DEVICE i64 widen(i16 x) { return x; }
PODIUM_DEVICE i64 widen(i8 x) { return x; }
PODIUM_DEVICE u64 widen(u64 x) { return x; }
PODIUM_DEVICE i64 widen(u32 x) { return x; }
PODIUM_DEVICE i64 widen(u16 x) { return x; }
PODIUM_DEVICE i64 widen(u8 x) { return x; }
PODIUM_DEVICE i64 widen(boolean x) { return x.bits; }

PODIUM_DEVICE double round_down(double x) {
#if PODIUM_GPU
  return ::floor(x);
#else
  return __builtin_floor(x);
#endif
}

template <class T>
PODIUM_DEVICE T narrow_lowest() {
  if constexpr (is_same<T, boolean>)
    return T{0};
  else
    return T(lowest_integer<T>);
}

// fp64 to an element: floating types to nearest even, integers downwards and limited to what the type holds.
// bounded: x is known to be a number below 2^500 in size, which saves looking.
template <class T, bool bounded = false>
PODIUM_DEVICE T narrow(double x) {
  if constexpr (is_same<T, f64> || is_same<T, f32>) {
    return T(x);
  } else if constexpr (is_same<T, f16>) {
    return T{u16(round_to<5, 10, bounded>(x))};
  } else if constexpr (is_same<T, bf16>) {
    return T{u16(round_to<8, 7, bounded>(x))};
  } else if constexpr (is_small_float<T>) {
    return narrow_small<T, bounded>(x);
  } else {
    constexpr double low = double(lowest_integer<T>), high = double(largest_integer<T>);
    if (x != x) return T{};
#if PODIUM_GPU && !defined(__HIP__)
    if constexpr (sizeof(T) < sizeof(int) && !is_same<T, boolean>) {
      const int whole = __double2int_rd(x);  // limited to what an int holds
      return T(whole < int(low) ? int(low) : whole > int(high) ? int(high) : whole);
    }
#endif
    const double whole = round_down(x);
    if (whole <= low) return narrow_lowest<T>();
    if constexpr (is_same<T, boolean>)
      return T{u8(whole >= 1)};
    else
      return whole >= high ? T(largest_integer<T>) : T(whole);
  }
}

// An integer to an element; integers must be in range, floating types round once.
template <class T>
PODIUM_DEVICE T narrow_integer(i64 x) {
  if constexpr (is_float_element<T>)
    return narrow<T>(double(x));
  else if constexpr (is_same<T, boolean>)
    return T{u8(x)};
  else
    return T(x);
}

// The bits of an element in the low end of a word.
template <class T>
PODIUM_DEVICE u64 raw(T x) {
  if constexpr (is_any<T, f64, f32>)
    return bits_of(x);
  else if constexpr (is_any<T, f16, bf16, boolean, e2m1x2> || is_small_float<T>)
    return x.bits;
  else if constexpr (sizeof(T) == 8)
    return u64(x);
  else
    return u64(x) & (~u64(0) >> (64 - 8 * sizeof(T)));
}

PODIUM_DEVICE bool is_finite(double x) { return (bits_of(x) & double_infinity) != double_infinity; }
PODIUM_DEVICE bool is_nan(double x) { return x != x; }

}  // namespace podium::program
