// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Conversions between element types and fp64: every 16-bit number, every midpoint between two, and their
// neighbours.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "suite/problem/program/numbers.hpp"

namespace podium::program {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A 16-bit format decoded by its definition: (-1)^s 2^(e - bias) 1.m, subnormals 2^(1 - bias) 0.m.
double decoded(u32 bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = int(bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const double mantissa = double(bits & ((1u << mantissa_bits) - 1)) / double(1u << mantissa_bits);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return mantissa == 0 ? sign * infinity : std::nan("");
  return exponent == 0 ? sign * std::ldexp(mantissa, 1 - bias)
                       : sign * std::ldexp(1 + mantissa, exponent - bias);
}

template <class T>
struct Format;
template <>
struct Format<f16> {
  static constexpr int exponent = 5, mantissa = 10;
};
template <>
struct Format<bf16> {
  static constexpr int exponent = 8, mantissa = 7;
};

template <class T>
class Narrow16 : public testing::Test {};
using Formats = testing::Types<f16, bf16>;
TYPED_TEST_SUITE(Narrow16, Formats);

TYPED_TEST(Narrow16, EveryNumberGoesThereAndBack) {
  using F = Format<TypeParam>;
  for (u32 bits = 0; bits < 0x10000; ++bits) {
    const double exact = decoded(bits, F::exponent, F::mantissa), wide = widen(TypeParam{u16(bits)});
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(wide));
      EXPECT_TRUE(std::isnan(widen(narrow<TypeParam>(wide))));
    } else {
      ASSERT_EQ(wide, exact);
      ASSERT_EQ(std::signbit(wide), std::signbit(exact));
      ASSERT_EQ(narrow<TypeParam>(exact).bits, bits);
    }
  }
}

TYPED_TEST(Narrow16, MidpointsGoToEvenAndTheirNeighboursToTheNearest) {
  using F = Format<TypeParam>;
  const u32 largest = (((1u << F::exponent) - 1) << F::mantissa) - 1;
  for (u32 bits = 0; bits <= largest; ++bits) {
    const double low = decoded(bits, F::exponent, F::mantissa);
    const double high = bits == largest ? low + (low - decoded(bits - 1, F::exponent, F::mantissa))
                                        : decoded(bits + 1, F::exponent, F::mantissa);
    const double middle = low + (high - low) / 2;  // exact in fp64
    for (const u32 sign : {0u, 0x8000u}) {
      const double s = sign ? -1 : 1;
      ASSERT_EQ(narrow<TypeParam>(s * middle).bits, sign | (bits % 2 ? bits + 1 : bits));
      ASSERT_EQ((narrow<TypeParam, true>(s * middle).bits), narrow<TypeParam>(s * middle).bits);
      ASSERT_EQ(narrow<TypeParam>(s * std::nextafter(middle, 0)).bits, sign | bits);
      ASSERT_EQ(narrow<TypeParam>(s * std::nextafter(middle, infinity)).bits, sign | (bits + 1));
    }
  }
}

TYPED_TEST(Narrow16, TheEndsOfFp64) {
  const u32 top = ((1u << Format<TypeParam>::exponent) - 1) << Format<TypeParam>::mantissa;
  EXPECT_EQ(narrow<TypeParam>(infinity).bits, top);
  EXPECT_EQ(narrow<TypeParam>(-1e308).bits, 0x8000 | top);
  for (int power = 130; power < 1024; ++power)
    ASSERT_EQ(narrow<TypeParam>(std::ldexp(1.75, power)).bits, top) << power;
  EXPECT_EQ(narrow<TypeParam>(5e-324).bits, 0);
  EXPECT_EQ(narrow<TypeParam>(-5e-324).bits, 0x8000);
}

TEST(Narrow, F16AgreesWithTheCompilersType) {
#if defined(__FLT16_MANT_DIG__)
  u64 state = 1;
  for (int k = 0; k < 2000000; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double x = std::ldexp(double(i64(state)), int(state >> 40 & 63) - 100);
    __extension__ const _Float16 there = static_cast<_Float16>(x);
    ASSERT_EQ(narrow<f16>(x).bits, __builtin_bit_cast(u16, there)) << x;
  }
#else
  GTEST_SKIP() << "this compiler has no _Float16";
#endif
}

TEST(Narrow, IntegersGoDownAndStayInRange) {
  EXPECT_EQ(narrow<i32>(2.9), 2);
  EXPECT_EQ(narrow<i32>(-2.1), -3);
  EXPECT_EQ(narrow<i32>(1e300), 2147483647);
  EXPECT_EQ(narrow<i32>(-1e300), -2147483647 - 1);
  EXPECT_EQ(narrow<i8>(-129), -128);
  EXPECT_EQ(narrow<u8>(-1), 0);
  EXPECT_EQ(narrow<u8>(256), 255);
  EXPECT_EQ(narrow<i64>(0x1p63), std::numeric_limits<i64>::max());
  EXPECT_EQ(narrow<u64>(0x1p64), std::numeric_limits<u64>::max());
  EXPECT_EQ(narrow<u64>(0x1p63), u64(1) << 63);
  EXPECT_EQ(narrow<i16>(std::nan("")), 0);
  EXPECT_EQ(narrow<boolean>(0.9).bits, 0);
  EXPECT_EQ(narrow<boolean>(7).bits, 1);
}

TEST(Narrow, RawBitsHaveTheElementsWidth) {
  EXPECT_EQ(raw(i8(-1)), 0xffu);
  EXPECT_EQ(raw(i16(-1)), 0xffffu);
  EXPECT_EQ(raw(i32(-1)), 0xffffffffu);
  EXPECT_EQ(raw(1.0f), 0x3f800000u);
  EXPECT_EQ(raw(boolean{3}), 3u);
}

}  // namespace
}  // namespace podium::program
