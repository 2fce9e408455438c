// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Floating types of eight and four bits. Rounding is to nearest even and saturates: beyond the largest
// number, infinities included, comes the largest number.
//
// e4m3, e5m2: OCP OFP8 1.0. *_fnuz: one NaN in place of -0, no infinities. e8m0, e2m1: OCP MX 1.0. What those
// leave open: NaN becomes the positive one; in e2m1, which has none, the largest number, as in CUDA; in e8m0,
// which has neither sign nor zero, zero becomes the smallest number and what is negative NaN, and a tie goes
// up, since both neighbours' one digit is odd (IEEE 754-2019, 4.3.1).
#pragma once
#include "types.hpp"

namespace podium::program {

template <class T>
inline constexpr bool is_small_float = is_any<T, e4m3, e5m2, e4m3_fnuz, e5m2_fnuz, e8m0, e2m1>;

template <class T>
struct Limits;  // spacing above 1, smallest normal, largest finite; here also how the numbers are written
template <>
struct Limits<e4m3> {
  static constexpr double eps = 0x1p-3, smallest_normal = 0x1p-6, largest = 448;
  static constexpr int mantissa = 3, bias = 7;
  static constexpr u32 sign = 0x80, top = 0x7e, infinity = 0x7f, nan = 0x7f;  // top: of `largest`
};
template <>
struct Limits<e5m2> {
  static constexpr double eps = 0x1p-2, smallest_normal = 0x1p-14, largest = 57344;
  static constexpr int mantissa = 2, bias = 15;
  static constexpr u32 sign = 0x80, top = 0x7b, infinity = 0x7c, nan = 0x7f;
};
template <>
struct Limits<e4m3_fnuz> {
  static constexpr double eps = 0x1p-3, smallest_normal = 0x1p-7, largest = 240;
  static constexpr int mantissa = 3, bias = 8;
  static constexpr u32 sign = 0x80, top = 0x7f, infinity = 0x80, nan = 0x80;
};
template <>
struct Limits<e5m2_fnuz> {
  static constexpr double eps = 0x1p-2, smallest_normal = 0x1p-15, largest = 57344;
  static constexpr int mantissa = 2, bias = 16;
  static constexpr u32 sign = 0x80, top = 0x7f, infinity = 0x80, nan = 0x80;
};
template <>
struct Limits<e2m1> {
  static constexpr double eps = 0x1p-1, smallest_normal = 1, largest = 6;
  static constexpr int mantissa = 1, bias = 1;
  static constexpr u32 sign = 0x8, top = 0x7, infinity = 0x8, nan = 0x7;
};
template <>
struct Limits<e8m0> {
  static constexpr double eps = 1, smallest_normal = 0x1p-127, largest = 0x1p127;
  static constexpr u32 top = 0xfe, nan = 0xff;
};

inline constexpr u64 double_infinity = u64(0x7ff) << 52, double_sign = u64(1) << 63;
template <class T>
inline constexpr bool is_fnuz = is_any<T, e4m3_fnuz, e5m2_fnuz>;

// A finite number from 0 on in a format of `mantissa` stored bits and that bias, to nearest even in one step:
// exponent and mantissa, the exponent as large as it takes. Added to 2^52 times the format's spacing around
// it, which below the smallest normal number no longer shrinks, it is rounded to that spacing, and the count
// of spacings is what the sum ends with. For what is_rounded(), numbers below 2^500; of others the result
// says nothing, since what is added would be no number any more.
inline constexpr u32 unrounded = u32(1023 + 500) << 20;  // the upper half of 2^500
PODIUM_DEVICE bool is_rounded(u64 magnitude) { return u32(magnitude >> 32) < unrounded; }
template <int bias, int mantissa>
PODIUM_DEVICE u32 rounded_code(u64 magnitude) {
  constexpr u32 least = 1023 - bias + 1;  // a double's exponent field at the smallest normal number
  const u32 field = u32(magnitude >> 52), at = field > least ? field : least;
  const double grid = double_of(u64(at + 52 - mantissa) << 52);
  return ((at - least) << mantissa) + u32(bits_of(double_of(magnitude) + grid));
}

PODIUM_DEVICE e8m0 narrow_scale(double x) {
  const u64 bits = bits_of(x);
  if ((bits & ~double_sign) > double_infinity || (bits > double_sign)) return {u8(Limits<e8m0>::nan)};
  const i64 code = i64((bits & ~double_sign) >> 52) - (1023 - 127) + i64((bits >> 51) & 1);
  return {u8(code < 0 ? 0 : code > Limits<e8m0>::top ? Limits<e8m0>::top : u32(code))};
}

// Rounds once. bounded: as for narrow().
template <class T, bool bounded>
PODIUM_DEVICE T narrow_small(double x) {
  if constexpr (is_same<T, e8m0>) {
    return narrow_scale(x);
  } else {
    using L = Limits<T>;
    const u64 magnitude = bits_of(x) & ~double_sign;
    if (!bounded && x != x) return {u8(L::nan)};
    u32 code = rounded_code<L::bias, L::mantissa>(magnitude);
    if (code > L::top || !(bounded || is_rounded(magnitude))) code = L::top;
    const bool negative = (bits_of(x) & double_sign) != 0 && !(is_fnuz<T> && code == 0);
    return {u8(code | (negative ? L::sign : 0u))};
  }
}

// Exact.
template <class T>
PODIUM_DEVICE double widen_small(u32 bits) {
  using L = Limits<T>;
  const u32 magnitude = bits & (L::sign - 1);
  const u64 sign = (bits & L::sign) != 0 ? double_sign : 0;
  if (is_fnuz<T> ? bits == L::nan : magnitude >= L::infinity) {
    const bool infinite = L::infinity != L::nan && magnitude == L::infinity;
    return double_of(double_infinity | (infinite ? sign : u64(1) << 51));
  }
  // A subnormal number is a multiple of the spacing at the smallest normal one.
  constexpr double unit = L::smallest_normal * L::eps;
  if (magnitude >> L::mantissa == 0) return double_of(bits_of(double(magnitude) * unit) | sign);
  return double_of(((u64(magnitude) << (52 - L::mantissa)) + (u64(1023 - L::bias) << 52)) | sign);
}
PODIUM_DEVICE double widen(e4m3 x) { return widen_small<e4m3>(x.bits); }
PODIUM_DEVICE double widen(e5m2 x) { return widen_small<e5m2>(x.bits); }
PODIUM_DEVICE double widen(e4m3_fnuz x) { return widen_small<e4m3_fnuz>(x.bits); }
PODIUM_DEVICE double widen(e5m2_fnuz x) { return widen_small<e5m2_fnuz>(x.bits); }
PODIUM_DEVICE double widen(e2m1 x) { return widen_small<e2m1>(x.bits); }
PODIUM_DEVICE double widen(e8m0 x) {
  const u32 bits = x.bits;
  return double_of(bits == Limits<e8m0>::nan ? double_infinity | u64(1) << 51
                                             : u64(bits + (1023 - 127)) << 52);
}

}  // namespace podium::program
