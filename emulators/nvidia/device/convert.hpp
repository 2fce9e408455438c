// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Conversions between types: PTX ISA 9.7.9.21 (cvt). Narrow floats of 8, 6 and 4 bits travel in packed
// integers.
#pragma once
#include "emulators/nvidia/device/floating.hpp"

namespace podium::ptx {

// A number as double, exactly.
template <class T>
inline f64 exact(T a) {
  if constexpr (is_narrow<T>)
    return float_of(a);
  else
    return a;
}

inline f64 to_integral(f64 a, Rounding mode) {  // .rni .rzi .rmi .rpi
  switch (mode) {
    case Rounding::zero:
      return __builtin_trunc(a);
    case Rounding::down:
      return __builtin_floor(a);
    case Rounding::up:
      return __builtin_ceil(a);
    default:
      return __builtin_rint(a);
  }
}

// Floating-point to integer: always saturates. A NaN gives 0, but the top bit alone where either type has 64
// bits (PTX ISA 9.7.9.21).
template <class D, class S>
inline D to_integer(S from, Rounding mode) {
  const f64 a = exact(from);
  if (a != a) return sizeof(D) == 8 || sizeof(S) == 8 ? static_cast<D>(u64{1} << (width<D> - 1)) : D{0};
  const f64 whole = to_integral(a, mode);
  const f64 end = std::is_signed_v<D> ? 0x1p63 / static_cast<f64>(u64{1} << (64 - width<D>))
                                      : 0x1p64 / static_cast<f64>(u64{1} << (64 - width<D>));
  if (whole >= end)
    return std::is_signed_v<D> ? static_cast<D>(~u64{0} >> (65 - width<D>)) : static_cast<D>(-1);
  if (whole < (std::is_signed_v<D> ? -end : 0.0))
    return std::is_signed_v<D> ? static_cast<D>(u64{1} << (width<D> - 1)) : D{0};
  return static_cast<D>(whole);
}

template <class D, class S>
inline D from_integer(S a, Rounding mode) {
  if constexpr (std::is_same_v<D, f32>) {
    return mode == Rounding::nearest ? static_cast<f32>(a) : rounded_to_f32(static_cast<s128>(a), mode);
  } else if constexpr (std::is_same_v<D, f64>) {
    return mode == Rounding::nearest ? static_cast<f64>(a) : rounded_to_f64(static_cast<s128>(a), mode);
  } else {
    // Rounded towards zero and made odd where something was lost, so that the second rounding is right.
    f64 wide = rounded_to_f64(static_cast<s128>(a), Rounding::zero);
    if (static_cast<s128>(wide) != static_cast<s128>(a)) wide = bits<f64>(bits<u64>(wide) | 1);
    if constexpr (std::is_same_v<D, f16>)
      return half_of(wide, mode);
    else
      return bfloat_of(wide, mode);
  }
}

// Where f64 is one of the types, a NaN keeps its sign and as much of its payload as there is room for, and
// becomes quiet; of bf16 to f32 it keeps all. Otherwise it becomes the canonical one. So an H200 has it; the
// ISA says nothing of it.
template <class T>
inline T nan_from(u64 sign, u64 payload, int of_mantissa) {
  constexpr int mantissa = std::is_same_v<T, f64>   ? 52
                           : std::is_same_v<T, f16> ? half.mantissa
                                                    : bfloat.mantissa;
  constexpr u64 infinite = (u64{1} << (width<T> - 1)) - (u64{1} << mantissa);
  const int up = mantissa - of_mantissa;
  return bits<T>(static_cast<unsigned_of<T>>(sign << (width<T> - 1) | infinite | u64{1} << (mantissa - 1) |
                                             (up > 0 ? payload << up : payload >> -up)));
}

template <class D, class S>
inline D to_float(S from, Rounding mode, bool finite = false) {
  if constexpr (std::is_same_v<D, f64> && is_narrow<S>) {
    constexpr int mantissa = std::is_same_v<S, f16> ? half.mantissa : bfloat.mantissa;
    if (is_nan(from)) return nan_from<f64>(from.bits >> 15, from.bits & ((1u << mantissa) - 1), mantissa);
    return exact(from);
  } else if constexpr (std::is_same_v<D, f64>) {
    return exact(from);
  } else if constexpr (std::is_same_v<D, f32>) {
    if constexpr (std::is_same_v<S, f64>) return rounded_to_f32(from, mode);
    if constexpr (std::is_same_v<S, bf16>) return float_of(static_cast<u32>(from.bits) << 16);
    return canonical(static_cast<f32>(exact(from)));
  } else {
    if constexpr (std::is_same_v<S, f64>)
      if (is_nan(from)) return nan_from<D>(bits<u64>(from) >> 63, bits<u64>(from) & (quiet64 * 2 - 1), 52);
    if constexpr (std::is_same_v<S, f32>)
      if (mode == Rounding::nearest && !finite) return narrow_of<D>(from);
    if constexpr (std::is_same_v<D, f16>)
      return half_of(exact(from), mode, finite);
    else
      return bfloat_of(exact(from), mode, finite);
  }
}

template <class T>
inline T integral(T a, Rounding mode) {
  return to_float<T>(to_integral(exact(a), mode), Rounding::nearest);
}

// cvt.rn.f16x2.f32 d, a, b and its like: a in the high half.
template <class P, class E>
inline P pair_of(E high, E low) {
  return {low, high};
}

// Two numbers in one code of bits each, the first in the high part: cvt to e4m3x2, e2m1x2 ...
inline u32 packed(f64 high, f64 low, Format f, int each, Rounding mode, bool relu) {
  if (relu && !(high > 0) && high == high) high = 0;
  if (relu && !(low > 0) && low == low) low = 0;
  return narrowed(high, f, mode, true) << each | narrowed(low, f, mode, true);
}
// cvt.rs: a gets the upper half of the random bits, b the lower one, of which f16 takes 13.
template <class P>
inline P pair_by(f32 a, f32 b, u32 random, bool finite) {
  using E = decltype(P::x);
  constexpr bool is_half = std::is_same_v<E, f16>;
  constexpr int count = is_half ? 13 : 16;
  constexpr u32 mask = (1u << count) - 1;
  const auto one = [&](f32 value, u32 bits) {
    return E{static_cast<u16>(narrowed_by(bits & mask, count, value, is_half ? half : bfloat, finite))};
  };
  return {one(b, random), one(a, random >> 16)};
}
// Four numbers, the first in the highest part. a and b share 16 random bits, e and f the others: of 8 bits
// and 6 a half each, of e2m1 the upper and the lower byte of both halves. How they share them the ISA does
// not say; a public project reports of a B200 that a and e take them from the lowest on.
inline u32 packed_by(u32 random, f32 a, f32 b, f32 e, f32 last, Format f, int each, bool relu) {
  const auto reversed = [](u32 bits) {
    u32 result = 0;
    for (int i = 0; i < 16; ++i) result |= (bits >> i & 1) << (15 - i);
    return result;
  };
  const auto one = [&](f32 value, u32 bits) {
    return narrowed_by(bits, 16, relu && !(value > 0) && value == value ? 0.0f : value, f, true);
  };
  const u32 high = each == 8 ? random >> 16 : (random >> 16 & 0xff00) | (random >> 8 & 0xff);
  const u32 low = each == 8 ? random & 0xffff : (random >> 8 & 0xff00) | (random & 0xff);
  return one(a, reversed(high)) << 3 * each | one(b, high) << 2 * each | one(e, reversed(low)) << each |
         one(last, low);
}
template <class P>
inline P unpacked(u32 code, Format f, int each) {
  using E = decltype(P::x);
  const u32 mask = (1u << each) - 1;
  return {to_float<E>(widened(code & mask, f), Rounding::nearest),
          to_float<E>(widened(code >> each & mask, f), Rounding::nearest)};
}
// ue8m0: a power of two by its exponent.
inline bf16 power_of_two(u32 code) {
  return {static_cast<u16>(code == 255 ? nan16 : code == 0 ? 0x0040 : code << 7)};
}
inline u32 packed_ue8m0(f32 high, f32 low, Rounding mode) {
  const auto one = [&](f32 a) -> u32 {
    const u32 raw = bits<u32>(a) & 0x7fffffff;
    if (raw > 0x7f800000) return 255;
    if (raw == 0x7f800000) return 254;
    const bool up = mode == Rounding::up && (raw & 0x7fffff) != 0 && (raw >= 0x800000 || raw > 0x400000);
    const u32 code = (raw >> 23) + up;
    return code > 254 ? 254 : code;
  };
  return one(high) << 8 | one(low);
}

}  // namespace podium::ptx
