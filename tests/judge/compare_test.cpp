// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The limit of an error and what lies on either side of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/problem/program/compare.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using program::bf16;
using program::f16;
using program::f32;
using program::f64;
using program::Limits;
using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
bool passes(double got, double expected, double ulp, double growth_eps = 0, double scale = 0) {
  return program::judge<T>(got, expected, ulp, growth_eps, scale).ratio <= 1;
}

template <class T>
class Judge : public testing::Test {};
using Types = testing::Types<f64, f32, f16, bf16>;
TYPED_TEST_SUITE(Judge, Types);

TYPED_TEST(Judge, JustInsideAndJustOutside) {
  for (const double expected : {1.25, -1.5, 0x1.8p-5, 1000.0}) {
    const double eps = Limits<TypeParam>::eps * std::exp2(std::floor(std::log2(std::abs(expected))));
    EXPECT_TRUE(passes<TypeParam>(expected, expected, 100));
    for (const double sign : {-1.0, 1.0}) {
      EXPECT_TRUE(passes<TypeParam>(expected + sign * 99 * eps, expected, 100));
      EXPECT_FALSE(passes<TypeParam>(expected + sign * 101 * eps, expected, 100));
      // growth eps(accumulate) |scale| = 50 eps is added
      EXPECT_TRUE(passes<TypeParam>(expected + sign * 149 * eps, expected, 100, 100 * eps, -0.5));
      EXPECT_FALSE(passes<TypeParam>(expected + sign * 151 * eps, expected, 100, 100 * eps, -0.5));
    }
  }
}

template <class T>
class Rounding : public testing::Test {};
using RoundingTypes = testing::Types<f32, f16, bf16, program::e4m3, program::e5m2, program::e4m3_fnuz,
                                     program::e5m2_fnuz, program::e8m0, program::e2m1>;
TYPED_TEST_SUITE(Rounding, RoundingTypes);

// The distance of a held number from the next one, away from zero or towards it.
template <class T>
double distance(double held, bool away) {
  const double size = std::max(std::abs(held), Limits<T>::smallest_normal);
  const double binade = std::exp2(std::floor(std::log2(size)));
  const bool narrower = !away && std::abs(held) == binade && binade > Limits<T>::smallest_normal;
  return Limits<T>::eps * binade / (narrower ? 2 : 1);
}

// Half a step: the reference as rounded, and neither of its neighbours. One step: the neighbours of a number
// that the type holds.
TYPED_TEST(Rounding, HalfAStepIsTheCorrectlyRoundedNumberAlone) {
  using T = TypeParam;
  const double eps = Limits<T>::eps;
  const bool sign = !std::is_same_v<T, program::e8m0>;
  for (const double mantissa :
       {1.0, 1 + eps / 4, 1 + eps / 2, 1 + eps / 2 * (1 + 0x1p-20), 1 + eps * (1 - 0x1p-20), 1 + eps, 1.5,
        1.5 + eps / 2, 2 - eps / 2 * (1 - 0x1p-20), 2 - eps / 4})
    for (const double scale : {1.0, 2.0})
      for (const double minus : {1.0, -1.0}) {
        if (minus < 0 && !sign) continue;
        const double expected = minus * scale * mantissa;
        const double rounded = program::widen(program::narrow<T>(expected));
        SCOPED_TRACE(testing::Message() << expected << " rounds to " << rounded);
        EXPECT_TRUE(passes<T>(rounded, expected, 0.5));
        for (const bool away : {true, false}) {
          const double other = rounded + minus * (away ? 1 : -1) * distance<T>(rounded, away);
          EXPECT_FALSE(passes<T>(other, expected, 0.5)) << other;
          EXPECT_TRUE(passes<T>(other, rounded, 1)) << other;
          const bool towards_zero = std::abs(other) < std::abs(expected);
          EXPECT_EQ(passes<T>(other, expected, 1),
                    std::abs(other - expected) <= program::step<T>(expected, towards_zero))
              << other;
          const double second = other + (other - rounded);
          EXPECT_FALSE(passes<T>(second, rounded, 1)) << second;
        }
      }
}

TYPED_TEST(Rounding, StepsAreThoseOfTheType) {
  using T = TypeParam;
  const double normal = Limits<T>::smallest_normal, eps = Limits<T>::eps;
  for (const bool towards_zero : {false, true}) {
    const auto step = [=](double x) { return program::step<T>(x, towards_zero); };
    EXPECT_EQ(step(2), towards_zero ? eps : 2 * eps);
    EXPECT_EQ(step(-4), towards_zero ? 2 * eps : 4 * eps);
    EXPECT_EQ(step(-3.999999), 2 * eps);
    for (const double small : {0.0, normal / 2, normal}) EXPECT_EQ(step(small), eps * normal);
    const double top = std::exp2(std::floor(std::log2(Limits<T>::largest)));
    EXPECT_EQ(step(Limits<T>::largest), eps * (towards_zero && Limits<T>::largest == top ? top / 2 : top));
  }
}

// 1 + 2^-8 + 2^-30 lies above the middle of 1 and 1 + 2^-7; rounded to f32 first it lies in it.
TEST(Judge, WhatIsRoundedTwiceIsNotWhatIsRoundedOnce) {
  const double expected = 1 + 0x1p-8 + 0x1p-30;
  const double twice = program::widen(program::narrow<bf16>(double(float(expected))));
  const double once = program::widen(program::narrow<bf16>(expected));
  ASSERT_NE(once, twice);
  EXPECT_TRUE(passes<bf16>(once, expected, 0.5));
  EXPECT_FALSE(passes<bf16>(twice, expected, 0.5));
  EXPECT_TRUE(passes<bf16>(twice, expected, 1));
}

// The judge's number of the largest binade: half a step, not half of the whole number.
TEST(Judge, AStepAtTheTopIsNoLargerThanItsBinades) {
  EXPECT_TRUE(passes<f16>(65504 - 32, 65504, 1));
  EXPECT_FALSE(passes<f16>(65504 - 64, 65504, 1));
  EXPECT_TRUE(passes<f16>(65504, 65519, 0.5)) << "what is too large counts as the largest";
}

TYPED_TEST(Judge, ZeroLimitsAndZeroErrors) {
  EXPECT_TRUE(passes<TypeParam>(0.5, 0.5, 0));
  EXPECT_FALSE(passes<TypeParam>(0.5 + Limits<TypeParam>::eps, 0.5, 0));
  EXPECT_TRUE(passes<TypeParam>(0, 0, 0));
  EXPECT_TRUE(passes<TypeParam>(-0.0, 0, 0));
  EXPECT_EQ(program::judge<TypeParam>(0.5, 0.5, 0, 0, 0).ratio, 0);
  EXPECT_EQ(program::judge<TypeParam>(1, 0.5, 0, 0, 0).ratio, infinity);
}

TYPED_TEST(Judge, NonFiniteOnlyWhereTheReferenceIs) {
  EXPECT_FALSE(passes<TypeParam>(nan, 1, 1e300));
  EXPECT_FALSE(passes<TypeParam>(infinity, 1, 1e300));
  EXPECT_FALSE(passes<TypeParam>(1, nan, 1e300));
  EXPECT_FALSE(passes<TypeParam>(infinity, nan, 1e300));
  EXPECT_TRUE(passes<TypeParam>(nan, nan, 0));
  EXPECT_TRUE(passes<TypeParam>(infinity, infinity, 0));
  EXPECT_TRUE(passes<TypeParam>(-infinity, -infinity, 0));
  EXPECT_FALSE(passes<TypeParam>(-infinity, infinity, 1e300));
  EXPECT_FALSE(passes<TypeParam>(Limits<TypeParam>::largest, infinity, 1));
  EXPECT_FALSE(passes<TypeParam>(nan, infinity, 1));
}

TYPED_TEST(Judge, TheReferenceIsLimitedToWhatTheTypeHolds) {
  if (std::is_same_v<TypeParam, f64>) return;  // the reference holds no more than that itself
  const double largest = Limits<TypeParam>::largest;
  EXPECT_TRUE(passes<TypeParam>(largest, 2 * largest, 0));
  EXPECT_TRUE(passes<TypeParam>(-largest, -2 * largest, 0));
  EXPECT_TRUE(passes<TypeParam>(infinity, 2 * largest, 0)) << "what rounding gives there";
  EXPECT_FALSE(passes<TypeParam>(-infinity, 2 * largest, 0));
  EXPECT_FALSE(passes<TypeParam>(infinity, largest, 1)) << "the type holds it";
  EXPECT_FALSE(passes<TypeParam>(largest / 2, 2 * largest, 1));
}

// Infinity is right from where rounding to f16 gives it; narrower types have none of a finite reference.
TEST(Judge, InfinityWhereAFiniteReferenceRoundsToIt) {
  EXPECT_TRUE(passes<f16>(infinity, 65520, 0));
  EXPECT_TRUE(passes<f16>(65504, 65520, 0));
  EXPECT_FALSE(passes<f16>(infinity, 65519.9, 1e300));
  EXPECT_FALSE(passes<f16>(nan, 65520, 1e300));
  EXPECT_FALSE(passes<program::e5m2>(infinity, 1e6, 1e300));
  EXPECT_TRUE(passes<program::e5m2>(57344, 1e6, 0));
  EXPECT_TRUE(passes<program::e5m2>(infinity, infinity, 0));
  EXPECT_TRUE(passes<program::e5m2>(-57344, -infinity, 0)) << "what saturation gives there";
  EXPECT_FALSE(passes<program::e5m2>(57344, -infinity, 1e300));
}

TYPED_TEST(Judge, SubnormalsMayBeFlushedWhereHardwareDoes) {
  const double normal = Limits<TypeParam>::smallest_normal;
  const bool flushed = std::is_same_v<TypeParam, f32> || std::is_same_v<TypeParam, bf16>;
  EXPECT_EQ(passes<TypeParam>(0, normal / 2, 0), flushed);
  EXPECT_EQ(passes<TypeParam>(-0.0, -normal / 2, 0), flushed);
  EXPECT_FALSE(passes<TypeParam>(0, normal, 0));
  EXPECT_FALSE(passes<TypeParam>(normal, normal / 2, 0));
  // Below the smallest normal the spacing stays what it is there.
  EXPECT_TRUE(passes<TypeParam>(normal / 2 + normal * Limits<TypeParam>::eps, normal / 2, 1));
  EXPECT_FALSE(passes<TypeParam>(normal / 2 + 2 * normal * Limits<TypeParam>::eps, normal / 2, 1));
}

// A reference of 1e9 in f16: only what the type holds counts for the limit, 65504 growth eps32.
TEST(Judge, ScaleIsLimitedToWhatTheTypeHolds) {
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f16, shape: [n], tolerance: { ulp: 0, growth: 8192 } }
reference: { y: { index: [i], value: "1e9 * x(i)" } }
workloads: { test: [{ n: 1 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  Judged j(yaml);
  j.evaluator.fill(1);
  for (const auto& [bits, right] :
       {std::pair{0x7bff, true}, {0x7bfe, true}, {0x7bfd, false}, {0x7c00, true}, {0xfc00, false}}) {
    j.data<program::f16>("y")->bits = static_cast<program::u16>(bits);
    EXPECT_EQ(j.evaluator.verify(1, 0xff).right, right) << bits;  // spacing 32, limit 63.97
  }
}

TEST(Judge, IntegersAreExact) {
  using program::same_whole;
  const std::int64_t big = (std::int64_t{1} << 53) + 1;
  EXPECT_TRUE(same_whole(program::i64(big), program::i64(big)));
  EXPECT_FALSE(same_whole(program::i64(big), double(big)));
  EXPECT_FALSE(same_whole(program::i64(-1), program::u64(~0ull)));
  EXPECT_FALSE(same_whole(program::u64(~0ull), program::i64(-1)));
  EXPECT_TRUE(same_whole(program::u64(1ull << 63), 0x1p63));
  EXPECT_FALSE(same_whole(program::i64(1), 1.5));
  EXPECT_FALSE(same_whole(program::i64(0), nan));
  EXPECT_FALSE(same_whole(program::u64(0), infinity));
}

std::string product(const std::string& type, const std::string& tolerance, const std::string& extra = "") {
  return R"y(podium: 1
title: t
axes: [m, n, k]
tensors:
  a: { role: input, dtype: )y" +
         type + R"y(, shape: [m, k], fill: normal }
  b: { role: input, dtype: )y" +
         type + R"y(, shape: [k, n], fill: normal }
  c: { role: output, dtype: )y" +
         type + ", shape: [m, n], tolerance: " + tolerance + R"y( }
reference:
  c: { index: [i, j], reduce: { over: { l: k }, op: sum, term: "a(i, l) * b(l, j)" } }
)y" + extra +
         R"y(sample: { i: 4, j: 4 }
workloads: { test: [{ m: 17, n: 31, k: 65 }], quick: [{ m: 3, n: 3, k: 3 }], bench: [{ m: 3, n: 3, k: 3 }] }
)y";
}

// c[i, j] moved away from the exact product by `times` the limit ulp eps |c| + growth eps32 sum |a b|.
Finding moved(Judged& j, double ulp, double growth, double times) {
  const double *a = j.data<double>("a"), *b = j.data<double>("b");
  double* c = j.data<double>("c");
  for (int i = 0; i < 17; ++i)
    for (int k = 0; k < 31; ++k) {
      double sum = 0, magnitude = 0;
      for (int l = 0; l < 65; ++l) {
        sum += a[i * 65 + l] * b[l * 31 + k];
        magnitude += std::abs(a[i * 65 + l] * b[l * 31 + k]);
      }
      c[i * 31 + k] = sum + times * (ulp * 0x1p-52 * std::abs(sum) + growth * 0x1p-23 * magnitude);
    }
  return j.evaluator.verify(7, 0xff);
}

TEST(Scale, MagnitudeIsTheSumOfAbsoluteTerms) {
  Judged j(product("f64", "{ ulp: 1, growth: 3, scale: magnitude }"));
  j.evaluator.fill(7);
  EXPECT_NEAR(moved(j, 1, 3, 0.999).worst, 0.999, 1e-6);
  EXPECT_TRUE(moved(j, 1, 3, 0.999).right);
  EXPECT_FALSE(moved(j, 1, 3, 1.001).right);
  EXPECT_NEAR(moved(j, 1, 3, -1.001).worst, 1.001, 1e-6);
}

TEST(Scale, MagnitudePassesThroughValue) {  // y = 2 p - q / 4 of two sums: magnitudes 2 |p| + |q| / 4
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f64, shape: [n], fill: normal }
  y: { role: output, dtype: f64, shape: [], tolerance: { ulp: 0, growth: 1, scale: magnitude } }
reference:
  p: { index: {}, reduce: { over: { i: n }, op: sum, term: "x(i)" } }
  q: { index: {}, reduce: { over: { i: n }, op: sum, term: "x(i) * x(i) - 1" } }
  y: { index: [], value: "2 * p() - q() / 4" }
workloads: { test: [{ n: 1000 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  Judged j(yaml);
  j.evaluator.fill(9);
  double p = 0, q = 0, pm = 0, qm = 0;
  for (int i = 0; i < 1000; ++i) {
    const double x = j.data<double>("x")[i];
    p += x, pm += std::abs(x), q += x * x - 1, qm += x * x + 1;
  }
  const double limit = 0x1p-23 * (2 * pm + qm / 4);
  for (const double times : {0.99, 1.01, -0.99, -1.01}) {
    *j.data<double>("y") = 2 * p - q / 4 + times * limit;
    const Finding found = j.evaluator.verify(9, 0xff);
    EXPECT_NEAR(found.worst, std::abs(times), 1e-6);
    EXPECT_EQ(found.right, std::abs(times) < 1);
  }
}

TEST(Scale, MagnitudesOfInputsAddUnderCancellation) {  // y = x - z: magnitude |x| + |z|, however small y is
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f64, shape: [n], fill: normal }
  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0, growth: 1, scale: magnitude } }
reference:
  y: { index: [i], value: "x(i) - 0.75 * x(i)" }
workloads: { test: [{ n: 1 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  Judged j(yaml);
  j.evaluator.fill(3);
  const double x = j.data<double>("x")[0];
  const double limit = 0x1p-23 * 1.75 * std::abs(x);
  for (const double times : {0.99, 1.01, -0.99, -1.01}) {
    *j.data<double>("y") = x - 0.75 * x + times * limit;
    const Finding found = j.evaluator.verify(3, 0xff);
    EXPECT_NEAR(found.worst, std::abs(times), 1e-6);
    EXPECT_EQ(found.right, std::abs(times) < 1);
  }
}

// y = floor(x) times the element that x chooses: what is converted counts by its own size.
TEST(Scale, MagnitudeIsLeftWhereATermConverts) {
  Judged j(R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f64, shape: [n], fill: sequence }
  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0, growth: 1, scale: magnitude } }
reference:
  y: { index: [i], value: "(x(i) && !x(0) ? double(x(i) - 2 * x(i)) : 0) * x(i64(floor(x(i) / 2)))" }
workloads: { test: [{ n: 6 }] }
)y");
  j.evaluator.fill(3);
  for (const double times : {0.99, 1.01, -0.99, -1.01}) {
    for (int i = 0; i < 6; ++i) {
      const int expected = -i * (i / 2);
      j.data<double>("y")[i] = expected * (1 + times * 0x1p-23);
    }
    const Finding found = j.evaluator.verify(3, 0xff);
    EXPECT_NEAR(found.worst, std::abs(times), 1e-6);
    EXPECT_EQ(found.right, std::abs(times) < 1);
  }
}

TEST(Scale, AReferenceMayBeNamed) {  // |c - ref| <= eps32 * 10 i
  Judged j(product("f64", "{ ulp: 0, growth: 1, scale: width }",
                   "  width: { index: { i: m }, value: \"10.0 * (i + 1)\" }\n"));
  j.evaluator.fill(7);
  EXPECT_TRUE(moved(j, 1, 0, 0).right);
  j.data<double>("c")[16 * 31 + 30] += 0x1p-23 * 169;
  EXPECT_TRUE(j.evaluator.verify(7, 0xff).right);
  j.data<double>("c")[16 * 31 + 30] += 0x1p-23 * 2;
  EXPECT_FALSE(j.evaluator.verify(7, 0xff).right);
}

TEST(Evidence, NamesTheWorstElementAndHowMany) {
  Judged j(product("f64", "{ ulp: 1, growth: 1, scale: magnitude }"));
  j.evaluator.fill(7);
  const Finding right = moved(j, 1, 1, 0.5);
  EXPECT_TRUE(right.right);
  EXPECT_THAT(right.text, HasSubstr("of the limit at c["));
  j.data<double>("c")[31 + 4] += 1;
  j.data<double>("c")[2 * 31 + 5] += 1000;
  const Finding wrong = j.evaluator.verify(7, 0xff);
  EXPECT_TRUE(wrong.written);
  EXPECT_THAT(wrong.text, HasSubstr("c[2, 5] is 1"));
  EXPECT_THAT(wrong.text, HasSubstr("; 2 of 527 verified elements wrong"));
}

TEST(Evidence, PoisonIsNotWritten) {
  for (const bool full : {true, false}) {
    for (const std::uint8_t poison : {0xff, 0x7b}) {
      Judged j(product("f64", "{ ulp: 1, growth: 1, scale: magnitude }"), full);
      j.evaluator.fill(7);
      EXPECT_TRUE(moved(j, 1, 1, 0.5).right);
      std::memset(j.data<double>("c") + 100, poison,
                  8);  // one element; a sample would rarely meet it by chance
      const Finding one = j.evaluator.verify(7, poison);
      EXPECT_FALSE(one.right);
      EXPECT_FALSE(one.written);
      EXPECT_THAT(one.text, HasSubstr("1 of all 527 elements hold the byte"));
      EXPECT_THAT(one.text, HasSubstr("the first c[3, 7]"));
      j.poison(poison);
      EXPECT_FALSE(j.evaluator.verify(7, poison).written);
      EXPECT_TRUE(j.evaluator.verify(7, 0x11).written) << "wrong, but not this poison";
    }
  }
}

TEST(Evidence, OneNonFiniteElementIsAlwaysFound) {
  for (const std::int64_t at : {0, 250, 526}) {
    for (const double value : {nan, infinity}) {
      Judged j(product("f64", "{ ulp: 1, growth: 1, scale: magnitude }"), false);
      j.evaluator.fill(7);
      EXPECT_TRUE(moved(j, 1, 1, 0.5).right);
      j.data<double>("c")[at] = value;
      const Finding found = j.evaluator.verify(7, 0x7b);
      EXPECT_FALSE(found.right);
      EXPECT_TRUE(found.written);
      EXPECT_EQ(found.worst, infinity);
    }
  }
}

TEST(Evidence, PoisonThatIsRightIsRight) {  // 0x01010101 as an answer
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: 16843009, high: 16843009 } } }
  y: { role: output, dtype: i32, shape: [n] }
reference: { y: { index: [i], value: "x(i)" } }
sample: { i: 3 }
workloads: { test: [{ n: 5000 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  Judged j(yaml, false);
  j.evaluator.fill(1);
  j.poison(0x01);
  EXPECT_TRUE(j.evaluator.verify(1, 0x01).right);
  j.data<std::int32_t>("y")[4999] = 0;
  EXPECT_FALSE(j.evaluator.verify(1, 0x01).right);
}

TEST(Bytes, RangesAreComparedExactly) {
  Judged j(product("f64", "{ ulp: 1, growth: 1 }"));
  const auto compared = [&](const std::byte* at, std::int64_t size, auto expected) {
    return j.evaluator.compare({{at, size, expected}}).at(0);
  };
  for (const std::size_t bytes : {1u, 15u, 16u, 17u, 4096u, 100003u}) {
    for (const std::size_t shift : {0u, 1u, 8u}) {
      std::vector<std::byte> left(bytes + 32, std::byte{0xdb}), right = left;
      std::byte* const a = left.data() + shift;
      const std::byte* const b = right.data();
      const auto size = static_cast<std::int64_t>(bytes);
      EXPECT_EQ(compared(a, size, b).count, 0);
      EXPECT_EQ(compared(a, size, std::uint8_t{0xdb}).count, 0);
      EXPECT_EQ(compared(a, size, std::uint8_t{0xda}).count, size);
      EXPECT_EQ(compared(a, size, std::uint8_t{0xda}).first, 0);
      for (const std::size_t at : {bytes - 1, bytes / 2, bytes / 3}) {
        a[at] = std::byte{0xdc};
        EXPECT_EQ(compared(a, size, b).first, static_cast<std::int64_t>(at));
        EXPECT_EQ(compared(a, size, std::uint8_t{0xdb}).first, static_cast<std::int64_t>(at));
      }
      EXPECT_EQ(compared(a, size, b).count, compared(a, size, std::uint8_t{0xdb}).count);
      EXPECT_GE(compared(a, size, b).count, 1);
      EXPECT_EQ(compared(a, 0, b).count, 0);
    }
  }
}

// More than there are regions for their results.
TEST(Bytes, EachRangeHasAnAnswerOfItsOwn) {
  Judged j(product("f64", "{ ulp: 1, growth: 1 }"));
  constexpr std::int64_t size = 100;
  std::vector<std::byte> memory(33 * size, std::byte{0xdb});
  std::vector<Evaluator::Expected> ranges;
  for (std::int64_t k = 0; k < 33; ++k) {
    memory[static_cast<std::size_t>(k * size + k)] = std::byte{1};
    ranges.push_back({memory.data() + k * size, k == 7 ? 0 : size, std::uint8_t{0xdb}});
  }
  const auto found = j.evaluator.compare(ranges);
  ASSERT_EQ(found.size(), ranges.size());
  for (std::int64_t k = 0; k < 33; ++k) {
    EXPECT_EQ(found[static_cast<std::size_t>(k)].count, k == 7 ? 0 : 1) << k;
    EXPECT_EQ(found[static_cast<std::size_t>(k)].first, k == 7 ? -1 : k) << k;
  }
}

}  // namespace
}  // namespace podium::judge
