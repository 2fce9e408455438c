// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// f16 and bf16 where no vendor has them: classes that round to nearest, ties to even, after every operation.
//
// Computing in float and rounding once more is exact for + - * / because float has at least twice the digits
// and two more (Figueroa 1995). _Float16 would not do for arithmetic: g++ 12 keeps excess precision inside an
// expression.
#pragma once
#include <cstdint>
#include <cstring>

namespace podium {
namespace host {

template <class To, class From>
To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "as many bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

// IEEE binary16: 5 bits of exponent, 10 of fraction.
struct F16 {
#if defined(__F16C__) && defined(__FLT16_MANT_DIG__)  // single conversions are exact, and instructions
  static float widen(std::uint16_t bits) { return static_cast<float>(bits_as<_Float16>(bits)); }
  static std::uint16_t narrow(float x) { return bits_as<std::uint16_t>(static_cast<_Float16>(x)); }
#else
  static float widen(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7FFFu;
    std::uint32_t result = magnitude << 13 | 0x7F800000u;  // infinities and NaN
    // The fraction in its place reads 2^112 times too small; the product is exact, for subnormal numbers too.
    if (magnitude < 0x7C00) result = bits_as<std::uint32_t>(bits_as<float>(magnitude << 13) * 0x1p112f);
    return bits_as<float>(sign | result);
  }
  static std::uint16_t narrow(float x) {
    const auto bits = bits_as<std::uint32_t>(x);
    const std::uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7FFFFFFF;
    std::uint32_t result;
    if (magnitude > 0x7F800000)
      result = 0x7E00 | (magnitude >> 13 & 0x3FF);  // NaN, quiet
    else if (magnitude >= 0x477FF000)
      result = 0x7C00;  // from 65520 on: infinity
    else if (magnitude <
             0x38800000)  // subnormal: adding 0.5 brings f16's last bit to float's last, which rounds
      result = bits_as<std::uint32_t>(bits_as<float>(magnitude) + 0.5f) - 0x3F000000;
    else  // the exponent's bias is 112 less; half a unit, less one where the last bit is even, carries
          // upwards
      result = (magnitude - 0x38000000 + 0xFFF + (magnitude >> 13 & 1)) >> 13;
    return static_cast<std::uint16_t>(sign | result);
  }
#endif
};

// The upper half of a float.
struct Bf16 {
  static float widen(std::uint16_t bits) { return bits_as<float>(std::uint32_t{bits} << 16); }
  static std::uint16_t narrow(float x) {
    const auto bits = bits_as<std::uint32_t>(x);
    const std::uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16, quiet_nan = bits >> 16 | 0x40;
    return static_cast<std::uint16_t>(x != x ? quiet_nan : rounded);
  }
};

// Trivial, so that it may be in shared memory. To float it goes by itself; from float by cast, as portable
// code must.
template <class Format>
struct SmallFloat {
  std::uint16_t bits;

  SmallFloat() = default;
  explicit SmallFloat(float x) : bits(Format::narrow(x)) {}
  operator float() const { return Format::widen(bits); }

  friend SmallFloat operator+(SmallFloat a, SmallFloat b) { return SmallFloat(float(a) + float(b)); }
  friend SmallFloat operator-(SmallFloat a, SmallFloat b) { return SmallFloat(float(a) - float(b)); }
  friend SmallFloat operator*(SmallFloat a, SmallFloat b) { return SmallFloat(float(a) * float(b)); }
  friend SmallFloat operator/(SmallFloat a, SmallFloat b) { return SmallFloat(float(a) / float(b)); }
  friend SmallFloat operator-(SmallFloat a) { return SmallFloat(-float(a)); }
  SmallFloat& operator+=(SmallFloat b) { return *this = *this + b; }
  SmallFloat& operator-=(SmallFloat b) { return *this = *this - b; }
  SmallFloat& operator*=(SmallFloat b) { return *this = *this * b; }
  SmallFloat& operator/=(SmallFloat b) { return *this = *this / b; }
};

}  // namespace host

using f16 = host::SmallFloat<host::F16>;
using bf16 = host::SmallFloat<host::Bf16>;

}  // namespace podium
