// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Floating-point formats narrower than 32 bits, to and from float: PTX ISA 5.2.2, 5.2.3, and 9.7.9.21 (cvt).
// Plain integers, so that any compiler and processor gives the same bits.
#pragma once
#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

enum class Rounding { nearest, zero, down, up, away };  // .rn .rz .rm .rp .rna
inline constexpr u16 nan16 = 0x7fff;                    // PTX's one NaN of f16 and bf16
inline constexpr u32 nan32 = 0x7fffffff;
// What the ISA calls OOB-NaN (5.5, Tensors) and gives no bits of; an H200 does: tensor copies that fill with
// NaN write it into every 16 bits outside of the tensor, whatever the type, and fma.oob looks for it.
inline constexpr u16 outside_nan = 0x7ff7;

// A format of 1 sign, `exponent` and `mantissa` bits. `infinite`: the largest exponent is infinity and NaN,
// as in IEEE 754; else it holds numbers, and all ones is NaN if `has_nan`.
struct Format {
  int exponent, mantissa;
  bool infinite, has_nan;
  constexpr int bias() const { return (1 << (exponent - 1)) - 1; }
  constexpr u32 sign() const { return 1u << (exponent + mantissa); }
  constexpr u32 largest() const {  // finite
    if (infinite) return (((1u << exponent) - 1) << mantissa) - 1;
    return sign() - (has_nan ? 2u : 1u);
  }
};
inline constexpr Format half{5, 10, true, true}, bfloat{8, 7, true, true}, e4m3{4, 3, false, true},
    e5m2{5, 2, true, true}, e2m3{2, 3, false, false}, e3m2{3, 2, false, false}, e2m1{2, 1, false, false};

inline f32 widened(u32 code, Format f) {
  const u32 fraction = code & ((1u << f.mantissa) - 1),
            exponent = code >> f.mantissa & ((1u << f.exponent) - 1);
  const u32 sign = code & f.sign() ? 0x80000000u : 0;
  const bool top = exponent == (1u << f.exponent) - 1;
  if (top && f.infinite) return float_of(fraction == 0 ? sign | 0x7f800000 : nan32);
  if (top && f.has_nan && fraction == (1u << f.mantissa) - 1) return float_of(nan32);
  if (exponent == 0) {
    const int least =
        1 - f.bias() - f.mantissa;  // exponent of a subnormal's unit; bf16's is below float's normal ones
    const f32 unit = float_of(least >= -126 ? static_cast<u32>(least + 127) << 23 : 1u << (least + 149));
    return float_of(bits<u32>(static_cast<f32>(fraction) * unit) | sign);
  }
  return float_of(sign | static_cast<u32>(static_cast<int>(exponent) - f.bias() + 127) << 23 |
                  fraction << (23 - f.mantissa));
}

// `finite`: what is too large becomes the largest number, as the narrow formats' .satfinite has it. A NaN
// becomes the format's canonical one, or the largest number where there is none.
inline u32 narrowed(f64 value, Format f, Rounding mode, bool finite) {
  const u64 raw = bits<u64>(value);
  const u32 sign = raw >> 63 ? f.sign() : 0;
  const u64 magnitude = raw & ~(u64{1} << 63);
  if (magnitude > 0x7ffull << 52) {
    if (f.infinite && f.exponent + f.mantissa == 15) return nan16;
    return f.has_nan ? f.sign() - 1 : f.largest();
  }
  const bool to_infinity =
      mode == Rounding::nearest || mode == Rounding::away || mode == (sign ? Rounding::down : Rounding::up);
  const u32 too_large = sign | (finite || !f.infinite || !to_infinity ? f.largest() : f.largest() + 1);
  if (magnitude == 0x7ffull << 52)
    return finite || !f.infinite ? sign | f.largest() : sign | (f.largest() + 1);
  if (magnitude >> 52 == 0) {  // zero, or so small that only directed rounding sees it
    const bool up = magnitude != 0 && mode == (sign ? Rounding::down : Rounding::up);
    return sign | (up ? 1u : 0u);
  }
  int exponent = static_cast<int>(magnitude >> 52) - 1023;
  const u64 fraction = (magnitude & ((u64{1} << 52) - 1)) | u64{1} << 52;  // 53 bits
  const int least = 1 - f.bias();
  int dropped = 52 - f.mantissa + (exponent < least ? least - exponent : 0);
  if (exponent < least) exponent = least;
  u64 kept = 0, rest = fraction, middle = 0;
  if (dropped <= 54) {  // else all of it lies below half a unit
    kept = dropped > 52 + 1 ? 0 : fraction >> dropped;
    rest = dropped >= 64 ? fraction : fraction & ((u64{1} << dropped) - 1);
    middle = u64{1} << (dropped - 1);
  }
  bool up = false;
  switch (mode) {
    case Rounding::nearest:
      up = middle != 0 && (rest > middle || (rest == middle && kept & 1));
      break;
    case Rounding::away:
      up = middle != 0 && rest >= middle;
      break;
    case Rounding::zero:
      break;
    case Rounding::down:
      up = rest != 0 && sign != 0;
      break;
    case Rounding::up:
      up = rest != 0 && sign == 0;
      break;
  }
  kept += up;
  // A carry into the next power of two, or from subnormal to normal, comes out of the sum by itself.
  const u64 code =
      kept < u64{1} << f.mantissa ? kept : (static_cast<u64>(exponent + f.bias() - 1) << f.mantissa) + kept;
  return code > f.largest() ? too_large : sign | static_cast<u32>(code);
}

// .rs: `count` random bits are added right behind the last one that is kept, and what is behind that is cut
// off. The sum is exact, but where it lies so far below a unit that nothing can carry.
inline u32 narrowed_by(u32 random, int count, f64 value, Format f, bool finite) {
  if (!__builtin_isfinite(value)) return narrowed(value, f, Rounding::zero, finite);
  const int least = 1 - f.bias(), of_value = value == 0 ? least : __builtin_ilogb(value),
            exponent = of_value < least ? least : of_value;
  const f64 added = __builtin_ldexp(static_cast<f64>(random), exponent - f.mantissa - count);
  const f64 sum = __builtin_copysign(__builtin_fabs(value) + (value == 0 ? 0 : added), value);
  const bool too_large = f.infinite && __builtin_fabs(sum) >= __builtin_ldexp(1.0, f.bias() + 1);
  return narrowed(sum, f, too_large ? Rounding::nearest : Rounding::zero, finite);
}

inline f32 float_of(f16 a) {
  const u32 sign = static_cast<u32>(a.bits & 0x8000) << 16, rest = a.bits & 0x7fff;
  if (rest - 0x400 < 0x7800) return float_of(sign | ((rest << 13) + 0x38000000));  // normal: another bias
  return widened(a.bits, half);
}
inline f32 float_of(bf16 a) {
  const u32 wide = static_cast<u32>(a.bits) << 16;
  return float_of((wide & 0x7fffffff) > 0x7f800000 ? nan32 : wide);
}
inline f16 half_of(f64 a, Rounding mode = Rounding::nearest, bool finite = false) {
  return {static_cast<u16>(narrowed(a, half, mode, finite))};
}
inline bf16 bfloat_of(f64 a, Rounding mode = Rounding::nearest, bool finite = false) {
  return {static_cast<u16>(narrowed(a, bfloat, mode, finite))};
}
inline f16 half_of(f32 a) {
  const u32 raw = bits<u32>(a), rest = raw & 0x7fffffff;
  if (rest - 0x38800000 >= 0x0f000000) return half_of(static_cast<f64>(a));  // subnormal, too large, NaN
  const u32 odd = rest >> 13 & 1;
  return {static_cast<u16>((raw >> 16 & 0x8000) | ((rest - 0x38000000 + 0xfff + odd) >> 13))};
}
inline bf16 bfloat_of(f32 a) {
  const u32 raw = bits<u32>(a);
  if ((raw & 0x7fffffff) > 0x7f800000) return {nan16};
  return {static_cast<u16>((raw + 0x7fff + (raw >> 16 & 1)) >> 16)};
}

template <class T>
inline T narrow_of(f32 a) {
  if constexpr (std::is_same_v<T, f16>)
    return half_of(a);
  else
    return bfloat_of(a);
}

// tf32: float32 with 10 bits of mantissa, in 32 bits whose rest is zero. With .rna an H200 treats NaNs and
// infinities alike: their lower bits are cut off, and .satfinite takes the number before.
inline u32 tf32_of(f32 a, Rounding mode, bool finite = false) {
  constexpr u32 kept = 0xffffe000;
  const u32 raw = bits<u32>(a);
  if ((raw & 0x7fffffff) > 0x7f800000 && mode != Rounding::away) return nan32 & kept;
  const bool exact = (raw & 0x7f800000) == 0x7f800000 || mode == Rounding::zero;
  const u32 code = (exact ? raw : raw + (mode == Rounding::away ? 0x1000 : 0xfff + (raw >> 13 & 1))) & kept;
  return finite && (code & 0x7f800000) == 0x7f800000 ? code - ~kept - 1 : code;
}

}  // namespace podium::ptx
