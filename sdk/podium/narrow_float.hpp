// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Floating types of eight and four bits: one byte of storage, laid out as OCP's formats and the vendors'
// types are, so that a pointer may be reinterpret_cast to those. They convert by podium::cast and do not
// compute.
//
// A cast to these types rounds to nearest even and saturates: values beyond the largest number, infinities
// included, become the largest number. NaN becomes the positive NaN; e2m1 has none, so there it becomes the
// largest number. In e8m0 ties round up, zero becomes the smallest number, and negative values become NaN.
#pragma once
#include <podium/platform.hpp>

#include <cstring>
#include <type_traits>

namespace podium {

struct e4m3 {  // OCP OFP8: sign, 4 bits of exponent, 3 of fraction; largest 448, no infinities
  std::uint8_t bits;
};
struct e5m2 {  // OCP OFP8: largest 57344
  std::uint8_t bits;
};
struct e4m3_fnuz {  // no infinities, one NaN in place of -0; largest 240
  std::uint8_t bits;
};
struct e5m2_fnuz {  // likewise; largest 57344
  std::uint8_t bits;
};
struct e8m0 {  // OCP MX: 2^(bits - 127); 255 is NaN
  std::uint8_t bits;
};
struct e2m1 {  // OCP MX: one number in the low four bits; largest 6
  std::uint8_t bits;
};
// What tensors of e2m1 are made of: two neighbours along the last axis in a byte, the first in the low half.
// Extents and strides of a Tensor<e2m1x2, rank> count these pairs: a shape [rows, cols] of the problem is
// seen as [rows, cols / 2].
struct e2m1x2 {
  std::uint8_t bits;

  PODIUM_BOTH e2m1 low() const { return {static_cast<std::uint8_t>(bits & 15)}; }
  PODIUM_BOTH e2m1 high() const { return {static_cast<std::uint8_t>(bits >> 4)}; }
  PODIUM_BOTH static e2m1x2 of(e2m1 low, e2m1 high) {
    return {static_cast<std::uint8_t>((low.bits & 15) | high.bits << 4)};
  }
};

namespace detail {

template <class T>
inline constexpr bool is_narrow =
    std::is_same_v<T, e4m3> || std::is_same_v<T, e5m2> || std::is_same_v<T, e4m3_fnuz> ||
    std::is_same_v<T, e5m2_fnuz> || std::is_same_v<T, e8m0> || std::is_same_v<T, e2m1>;

// top: the pattern of the largest number. All patterns without the sign.
template <int Fraction, int Bias, std::uint32_t Top, std::uint32_t Nan, std::uint32_t Sign = 0x80>
struct Narrow {
  static constexpr int fraction = Fraction, bias = Bias;
  static constexpr std::uint32_t top = Top, nan = Nan, sign = Sign;
};
template <class T>
struct FormatOf;
template <>
struct FormatOf<e4m3> : Narrow<3, 7, 0x7E, 0x7F> {};
template <>
struct FormatOf<e5m2> : Narrow<2, 15, 0x7B, 0x7F> {};
template <>
struct FormatOf<e4m3_fnuz> : Narrow<3, 8, 0x7F, 0x80> {};
template <>
struct FormatOf<e5m2_fnuz> : Narrow<2, 16, 0x7F, 0x80> {};
template <>
struct FormatOf<e2m1> : Narrow<1, 1, 0x7, 0x7, 0x8> {};

PODIUM_BOTH std::uint32_t bits_of_float(float x) {
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
PODIUM_BOTH float float_of_bits(std::uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

constexpr std::uint32_t float_infinity = 0x7F800000, float_magnitude = 0x7FFFFFFF, float_nan = 0x7FC00000;

// In integers alone, so that no compiler's treatment of subnormal numbers matters.
template <class Format>
PODIUM_BOTH std::uint8_t nearest(float x) {
  constexpr int shift = 23 - Format::fraction;
  constexpr std::uint32_t rebias = 127 - Format::bias;
  const std::uint32_t bits = bits_of_float(x), magnitude = bits & float_magnitude;
  if (magnitude > float_infinity) return static_cast<std::uint8_t>(Format::nan);
  std::uint32_t code = 0;
  if (magnitude >= (rebias + 1) << 23) {
    code = ((magnitude + ((1u << (shift - 1)) - 1) + (magnitude >> shift & 1)) >> shift) -
           (rebias << Format::fraction);
    if (code > Format::top) code = Format::top;
  } else if (const std::uint32_t below = rebias + 1 - (magnitude >> 23); below <= Format::fraction + 1) {
    // So many binades under the smallest normal number that digits, and at last all of them, fall away.
    const std::uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000, down = shift + below;
    code = (significand + ((1u << (down - 1)) - 1) + (significand >> down & 1)) >> down;
  }
  const bool unsigned_zero = Format::nan == 0x80 && code == 0;
  return static_cast<std::uint8_t>(code | (bits >> 31 != 0 && !unsigned_zero ? Format::sign : 0));
}

template <class Format>
PODIUM_BOTH float exact(std::uint32_t bits) {
  const std::uint32_t magnitude = bits & (Format::sign - 1);
  const std::uint32_t sign = (bits & Format::sign) != 0 ? 0x80000000u : 0;
  if (Format::nan == 0x80 ? bits == 0x80 : magnitude > Format::top) {
    const bool infinite =
        Format::nan != 0x80 && Format::nan > Format::top + 1 && magnitude == Format::top + 1;
    return float_of_bits(infinite ? sign | float_infinity : float_nan);
  }
  const float subnormal =
      static_cast<float>(magnitude) * float_of_bits((128u - Format::bias - Format::fraction) << 23);
  if (magnitude >> Format::fraction == 0) return float_of_bits(bits_of_float(subnormal) | sign);
  return float_of_bits(((magnitude << (23 - Format::fraction)) + ((127u - Format::bias) << 23)) | sign);
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
#define PODIUM_CONVERTS_FP8 1  // in one instruction, two at a time
#endif

PODIUM_BOTH float widen(e4m3_fnuz x) { return exact<FormatOf<e4m3_fnuz>>(x.bits); }
PODIUM_BOTH float widen(e5m2_fnuz x) { return exact<FormatOf<e5m2_fnuz>>(x.bits); }
PODIUM_BOTH float widen(e2m1 x) { return exact<FormatOf<e2m1>>(x.bits); }
PODIUM_BOTH float widen(e8m0 x) {
  if (x.bits == 0xFF) return float_of_bits(float_nan);
  return float_of_bits(x.bits == 0 ? 0x400000u : static_cast<std::uint32_t>(x.bits) << 23);
}
PODIUM_BOTH void narrow(float x, e4m3_fnuz& y) { y.bits = nearest<FormatOf<e4m3_fnuz>>(x); }
PODIUM_BOTH void narrow(float x, e5m2_fnuz& y) { y.bits = nearest<FormatOf<e5m2_fnuz>>(x); }
PODIUM_BOTH void narrow(float x, e2m1& y) { y.bits = nearest<FormatOf<e2m1>>(x); }
PODIUM_BOTH void narrow(float x, e8m0& y) {
  const std::uint32_t bits = bits_of_float(x), magnitude = bits & float_magnitude;
  std::uint32_t code = (magnitude >> 23) + (magnitude >> 22 & 1);
  if (magnitude < 0x800000) code = magnitude >= 0x600000 ? 1 : 0;  // a float's subnormal numbers
  if (code > 0xFE) code = 0xFE;
  y.bits = static_cast<std::uint8_t>(magnitude > float_infinity || bits > 0x80000000u ? 0xFF : code);
}

#if defined(PODIUM_CONVERTS_FP8)
PODIUM_BOTH float lower_half(std::uint32_t halves) {
  return __half2float(__ushort_as_half(static_cast<unsigned short>(halves)));
}
PODIUM_BOTH float widen(e4m3 x) {
  std::uint32_t halves;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(static_cast<unsigned short>(x.bits)));
  return lower_half(halves);
}
PODIUM_BOTH float widen(e5m2 x) {
  std::uint32_t halves;
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(halves) : "h"(static_cast<unsigned short>(x.bits)));
  return lower_half(halves);
}
PODIUM_BOTH void narrow(float x, e4m3& y) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  y.bits = static_cast<std::uint8_t>(pair);
}
PODIUM_BOTH void narrow(float x, e5m2& y) {
  unsigned short pair;
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));
  y.bits = static_cast<std::uint8_t>(pair);
}
#else
PODIUM_BOTH float widen(e4m3 x) { return exact<FormatOf<e4m3>>(x.bits); }
PODIUM_BOTH float widen(e5m2 x) { return exact<FormatOf<e5m2>>(x.bits); }
PODIUM_BOTH void narrow(float x, e4m3& y) { y.bits = nearest<FormatOf<e4m3>>(x); }
PODIUM_BOTH void narrow(float x, e5m2& y) { y.bits = nearest<FormatOf<e5m2>>(x); }
#endif

}  // namespace detail
}  // namespace podium
