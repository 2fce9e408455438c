// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Eight-bit numbers: those of OCP (gfx950, gfx12), and those without negative zero and infinities (gfx942).
#pragma once
#include <cmath>
#include <cstdint>

namespace podium::amd {

// E exponent and M mantissa bits. `fnuz`: one more in the bias, 0x80 is the only NaN, nothing is infinite.
template <int E, int M, bool fnuz>
struct Float8 {
  static constexpr int bias = (1 << (E - 1)) - 1 + (fnuz ? 1 : 0);
  static constexpr bool ieee = E == 5 && !fnuz;  // OCP's E5M2 alone has infinities

  static float value(std::uint8_t bits) {
    const int exponent = bits >> M & ((1 << E) - 1), mantissa = bits & ((1 << M) - 1);
    const float sign = bits & 0x80 ? -1.F : 1.F;
    if (fnuz && bits == 0x80) return NAN;
    if (ieee && exponent == 31) return mantissa ? NAN : sign * INFINITY;
    if (!fnuz && E == 4 && (bits & 0x7f) == 0x7f) return NAN;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), 1 - bias - M);
    return sign * std::ldexp(static_cast<float>(mantissa | 1 << M), exponent - bias - M);
  }

  // To the nearest, halves to even. What is too large becomes the largest number if `saturate`, else NaN, or
  // infinity where there is one.
  static std::uint8_t bits(float x, bool saturate) {
    constexpr std::uint8_t nan = fnuz     ? 0x80
                                 : E == 4 ? 0x7f
                                          : 0x7e,
                           largest = ieee   ? 0x7b
                                     : fnuz ? 0x7f
                                            : 0x7e;
    const std::uint8_t sign = std::signbit(x) ? 0x80 : 0;
    if (std::isnan(x)) return fnuz ? nan : static_cast<std::uint8_t>(sign | nan);
    const std::uint8_t over = saturate ? static_cast<std::uint8_t>(sign | largest)
                              : ieee   ? static_cast<std::uint8_t>(sign | 0x7c)
                              : fnuz   ? nan
                                       : static_cast<std::uint8_t>(sign | nan);
    const float size = std::fabs(x);
    if (std::isinf(x)) return over;
    int exponent = 0;
    std::frexp(size, &exponent);
    const int unit = (exponent - 1 < 1 - bias ? 1 - bias : exponent - 1) - M;  // of the last place
    const auto steps = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -unit)));
    std::uint32_t magnitude = steps;
    if (steps >> M)
      magnitude = static_cast<std::uint32_t>(unit + M + bias) << M, magnitude += steps - (1u << M);
    if (magnitude > largest) return over;
    return magnitude == 0 && fnuz ? 0 : static_cast<std::uint8_t>(sign | magnitude);
  }
};

#ifdef PODIUM_FP8_FNUZ
using Fp8 = Float8<4, 3, true>;
using Bf8 = Float8<5, 2, true>;
#else
using Fp8 = Float8<4, 3, false>;
using Bf8 = Float8<5, 2, false>;
#endif

}  // namespace podium::amd
