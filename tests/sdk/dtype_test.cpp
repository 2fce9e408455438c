// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// f16, bf16 and cast on the CPU: every bit pattern, every boundary between neighbours, ties, double rounding.
#include <gtest/gtest.h>
#include <podium/dtype.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace {
using podium::bf16, podium::cast, podium::f16;

template <class T>
T of_bits(unsigned bits) {
  T value;
  value.bits = static_cast<std::uint16_t>(bits);
  return value;
}

// The formats as their definitions say, by other means than the code under test.
template <class T>
struct Format;
template <>
struct Format<f16> {
  static constexpr int fraction = 10, bias = 15;
};
template <>
struct Format<bf16> {
  static constexpr int fraction = 7, bias = 127;
};
template <class T>
unsigned infinity_bits() {
  return (0x7FFFu >> Format<T>::fraction) << Format<T>::fraction;
}
template <class T>  // of a finite, positive pattern; infinity's counts as the next power of two
double value_of(unsigned bits) {
  const int exponent = static_cast<int>(bits >> Format<T>::fraction);
  const unsigned fraction = bits & ((1u << Format<T>::fraction) - 1);
  const double significand = exponent == 0 ? fraction : fraction + (1u << Format<T>::fraction);
  return std::ldexp(significand, (exponent == 0 ? 1 : exponent) - Format<T>::bias - Format<T>::fraction);
}

template <class T>
class SmallFloat : public testing::Test {};
using Types = testing::Types<f16, bf16>;
TYPED_TEST_SUITE(SmallFloat, Types);

TYPED_TEST(SmallFloat, IsStorageOfTwoTrivialBytes) {
  static_assert(sizeof(TypeParam) == 2 && std::is_trivial_v<TypeParam>);
}

TYPED_TEST(SmallFloat, EveryPatternHasItsValueAndComesBack) {
  const unsigned infinity = infinity_bits<TypeParam>();
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const unsigned magnitude = bits & 0x7FFF;
    const auto x = of_bits<TypeParam>(bits);
    const float wide = cast<float>(x);
    if (magnitude > infinity) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_TRUE(std::isnan(cast<float>(cast<TypeParam>(wide)))) << bits;
      continue;
    }
    const double value =
        magnitude == infinity ? std::numeric_limits<double>::infinity() : value_of<TypeParam>(magnitude);
    ASSERT_EQ(wide, bits & 0x8000 ? -value : value) << bits;
    ASSERT_EQ(std::signbit(wide), (bits & 0x8000) != 0) << bits;
    ASSERT_EQ(cast<TypeParam>(wide).bits, bits);
    ASSERT_EQ(cast<TypeParam>(static_cast<double>(wide)).bits, bits);
  }
}

// Rounding is monotonic, so its behaviour at and beside every boundary decides it everywhere.
template <class T, class Wide>
void expect_boundaries() {
  for (unsigned low = 0; low < infinity_bits<T>(); ++low) {
    const unsigned high = low + 1, even = low % 2 == 0 ? low : high;
    const double exact = (value_of<T>(low) + value_of<T>(high)) / 2;
    const auto middle = static_cast<Wide>(exact);
    ASSERT_EQ(middle, exact) << low;
    const Wide below = std::nextafter(middle, Wide{0}),
               above = std::nextafter(middle, std::numeric_limits<Wide>::infinity());
    ASSERT_EQ(cast<T>(below).bits, low);
    ASSERT_EQ(cast<T>(middle).bits, even);
    ASSERT_EQ(cast<T>(above).bits, high);
    ASSERT_EQ(cast<T>(-below).bits, low | 0x8000);
    ASSERT_EQ(cast<T>(-middle).bits, even | 0x8000);
    ASSERT_EQ(cast<T>(-above).bits, high | 0x8000);
  }
}
TYPED_TEST(SmallFloat, RoundsFloatToNearestEvenAtEveryBoundary) { expect_boundaries<TypeParam, float>(); }
TYPED_TEST(SmallFloat, RoundsDoubleOnceAtEveryBoundary) { expect_boundaries<TypeParam, double>(); }

TYPED_TEST(SmallFloat, ExtremesOfDouble) {
  using limits = std::numeric_limits<double>;
  const unsigned infinity = infinity_bits<TypeParam>();
  EXPECT_EQ(cast<TypeParam>(limits::max()).bits, infinity);
  EXPECT_EQ(cast<TypeParam>(-limits::infinity()).bits, infinity | 0x8000);
  EXPECT_EQ(cast<TypeParam>(limits::denorm_min()).bits, 0);
  EXPECT_EQ(cast<TypeParam>(-limits::min()).bits, 0x8000);
  EXPECT_TRUE(std::isnan(cast<float>(cast<TypeParam>(limits::quiet_NaN()))));
}

// The numbers drawn: every 53rd pattern with every 61st, which share no rhythm with the formats.
template <class T, class Operation>
void expect_exact(Operation operation) {
  for (unsigned a = 0; a < 0x10000; a += 53)
    for (unsigned b = 1; b < 0x10000; b += 61) {
      const auto x = of_bits<T>(a), y = of_bits<T>(b);
      const T result = operation(x, y);
      // double holds products exactly, and is wide enough that rounding its sums and quotients once more is
      // exact
      const T expected = cast<T>(operation(cast<double>(x), cast<double>(y)));
      if (std::isnan(cast<float>(expected)))
        ASSERT_TRUE(std::isnan(cast<float>(result))) << a << ' ' << b;
      else
        ASSERT_EQ(result.bits, expected.bits) << a << ' ' << b;
    }
}
TYPED_TEST(SmallFloat, SumsAreExactlyRounded) {
  expect_exact<TypeParam>([](auto x, auto y) { return x + y; });
}
TYPED_TEST(SmallFloat, DifferencesAreExactlyRounded) {
  expect_exact<TypeParam>([](auto x, auto y) { return x - y; });
}
TYPED_TEST(SmallFloat, ProductsAreExactlyRounded) {
  expect_exact<TypeParam>([](auto x, auto y) { return x * y; });
}
TYPED_TEST(SmallFloat, QuotientsAreExactlyRounded) {
  expect_exact<TypeParam>([](auto x, auto y) { return x / y; });
}

TYPED_TEST(SmallFloat, RoundsInsideExpressions) {
  const auto one = cast<TypeParam>(1.0f);
  const auto half_ulp = cast<TypeParam>(std::ldexp(1.0, -Format<TypeParam>::fraction - 1));
  EXPECT_EQ(cast<float>((one + half_ulp) + half_ulp), 1.0f);  // in float it would be 1 and an ulp
  auto x = one;
  x += half_ulp;
  x -= half_ulp;  // to 1 - half an ulp, which has its own pattern
  x *= one;
  x /= one;
  EXPECT_EQ(cast<double>(x), 1.0 - std::ldexp(1.0, -Format<TypeParam>::fraction - 1));
  EXPECT_EQ((-one).bits, one.bits | 0x8000);
  EXPECT_TRUE(one > half_ulp && one == one);
}

TEST(Cast, WideIntegersAreRoundedOnce) {
  const std::int64_t tie = (std::int64_t{1} << 62) + (std::int64_t{1} << 54);  // between neighbours of bf16
  const float low = 0x1p62f, high = 0x1.02p62f;
  EXPECT_EQ(cast<float>(cast<bf16>(tie)), low);
  EXPECT_EQ(cast<float>(cast<bf16>(tie + 1)), high);  // double cannot hold it, and would call it a tie
  EXPECT_EQ(cast<float>(cast<bf16>(tie - 1)), low);
  EXPECT_EQ(cast<float>(cast<bf16>(-tie)), -low);
  EXPECT_EQ(cast<float>(cast<bf16>(-tie - 1)), -high);
  EXPECT_EQ(cast<float>(cast<bf16>(static_cast<std::uint64_t>(tie) + 1)), high);
  EXPECT_EQ(cast<float>(cast<bf16>(std::numeric_limits<std::int64_t>::min())), -0x1p63f);
  EXPECT_EQ(cast<float>(cast<bf16>(std::numeric_limits<std::uint64_t>::max())), 0x1p64f);
  EXPECT_EQ(cast<float>(cast<bf16>((std::int32_t{1} << 24) + 1 + (1 << 16))),
            0x1.02p24f);  // float would call it a tie
  EXPECT_TRUE(std::isinf(cast<float>(cast<f16>(65520))));
  EXPECT_EQ(cast<float>(cast<f16>(65519)), 65504.0f);
}

TEST(Cast, BetweenSmallTypesAndToIntegers) {
  for (unsigned bits = 0; bits < 0x7C00; ++bits)
    ASSERT_EQ(cast<bf16>(of_bits<f16>(bits)).bits, cast<bf16>(cast<float>(of_bits<f16>(bits))).bits);
  EXPECT_EQ(cast<int>(cast<f16>(-2.75f)), -2);
  EXPECT_EQ(cast<bool>(cast<bf16>(0.5f)), true);
  EXPECT_EQ(cast<std::int8_t>(7.9), 7);
  EXPECT_EQ(cast<double>(0.1f), static_cast<double>(0.1f));
}

}  // namespace
