// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's types of eight and four bits against ml_dtypes, and what scans and limits take from them.
#include "suite/problem/model/dtype.hpp"
#include "suite/problem/program/compare.hpp"
#include "suite/problem/program/scan.hpp"
#include "tests/numbers/rounding.hpp"

namespace podium::program {
namespace {

template <class T>
void expect_type(const test::NarrowFormat& format, unsigned sign) {
  test::expect_conversions<double>(
      format, sign, [](unsigned bits) { return widen(T{u8(bits)}); },
      [](double x) {
        const unsigned bits = narrow<T>(x).bits;
        if (std::abs(x) < 0x1p500) {
          EXPECT_EQ((narrow<T, true>(x).bits), bits) << x;
        }
        return bits;
      });
}
TEST(NarrowFloats, E4m3) { expect_type<e4m3>(test::e4m3_format, 0x80); }
TEST(NarrowFloats, E5m2) { expect_type<e5m2>(test::e5m2_format, 0x80); }
TEST(NarrowFloats, E4m3Fnuz) { expect_type<e4m3_fnuz>(test::e4m3_fnuz_format, 0x80); }
TEST(NarrowFloats, E5m2Fnuz) { expect_type<e5m2_fnuz>(test::e5m2_fnuz_format, 0x80); }
TEST(NarrowFloats, E8m0) { expect_type<e8m0>(test::e8m0_format, 0); }
TEST(NarrowFloats, E2m1) { expect_type<e2m1>(test::e2m1_format, 8); }

TEST(NarrowFloats, WhatIsFarBeyondSaturates) {
  for (int power = 20; power < 1024; ++power) {
    const double x = std::ldexp(1.75, power);
    ASSERT_EQ(widen(narrow<e4m3>(x)), 448) << power;
    ASSERT_EQ(widen(narrow<e5m2>(-x)), -57344) << power;
    ASSERT_EQ(widen(narrow<e4m3_fnuz>(x)), 240) << power;
    ASSERT_EQ(widen(narrow<e5m2_fnuz>(-x)), -57344) << power;
    ASSERT_EQ(narrow<e2m1>(x).bits, 7) << power;
    if (power >= 500) continue;
    ASSERT_EQ((widen(narrow<e4m3, true>(-x))), -448) << power;
    ASSERT_EQ((narrow<e2m1, true>(x).bits), 7) << power;
    ASSERT_EQ((narrow<bf16, true>(x).bits), power < 128 ? narrow<bf16>(x).bits : 0x7f80) << power;
    ASSERT_EQ((narrow<f16, true>(-x).bits), 0xfc00) << power;
  }
}

// The scan's mask, the limits and the table of dtypes, each from the numbers themselves.
template <class T>
void expect_limits(const test::NarrowFormat& format, problem::Dtype dtype, std::string_view name) {
  double largest = 0, above_one = test::inf, smallest = test::inf, lowest = test::inf;
  for (unsigned bits = 0; bits < format.numbers.size(); ++bits) {
    const double x = format.numbers[bits];
    ASSERT_EQ(not_finite<T>(bits), !std::isfinite(x)) << bits;
    ASSERT_EQ(raw(T{u8(bits)}), bits);
    if (!std::isfinite(x)) continue;
    largest = std::max(largest, x);
    lowest = std::min(lowest, x);
    if (x > 1) above_one = std::min(above_one, x);
    if (x > 0) smallest = std::min(smallest, x);
  }
  using L = Limits<T>;
  EXPECT_EQ(L::largest, largest);
  EXPECT_EQ(L::eps, above_one - 1);
  // Subnormal numbers are multiples of the smallest one, below the number whose spacing it is.
  EXPECT_EQ(L::smallest_normal, dtype == problem::Dtype::e8m0 ? smallest : smallest / L::eps);
  const problem::DtypeInfo& info = problem::info(dtype);
  EXPECT_EQ(info.name, name);
  EXPECT_EQ(problem::dtype_named(name), dtype);
  EXPECT_TRUE(info.floating);
  EXPECT_EQ(info.eps, L::eps);
  EXPECT_EQ(info.smallest_normal, L::smallest_normal);
  EXPECT_EQ(info.largest, L::largest);
  EXPECT_EQ(problem::lowest(dtype), lowest);
  EXPECT_EQ(1u << info.bits, format.numbers.size());
  EXPECT_EQ(info.bytes, 1);
}
TEST(NarrowFloats, LimitsAreThoseOfTheNumbers) {
  using problem::Dtype;
  expect_limits<e4m3>(test::e4m3_format, Dtype::e4m3, "e4m3");
  expect_limits<e5m2>(test::e5m2_format, Dtype::e5m2, "e5m2");
  expect_limits<e4m3_fnuz>(test::e4m3_fnuz_format, Dtype::e4m3_fnuz, "e4m3_fnuz");
  expect_limits<e5m2_fnuz>(test::e5m2_fnuz_format, Dtype::e5m2_fnuz, "e5m2_fnuz");
  expect_limits<e8m0>(test::e8m0_format, Dtype::e8m0, "e8m0");
  expect_limits<e2m1>(test::e2m1_format, Dtype::e2m1, "e2m1");
  EXPECT_EQ(problem::lowest(Dtype::i8), -128);
  EXPECT_EQ(problem::lowest(Dtype::u16), 0);
  EXPECT_EQ(problem::lowest(Dtype::f16), -65504);
}

TEST(NarrowFloats, WideTypesKeepTheirScans) {
  EXPECT_TRUE(not_finite<f32>(raw(INFINITY)) && not_finite<f64>(raw(-double(INFINITY))));
  EXPECT_TRUE(not_finite<f16>(0x7c01) && not_finite<bf16>(0xff80));
  EXPECT_FALSE(not_finite<f32>(raw(3e38f)) || not_finite<i32>(0xffffffffu) || not_finite<u8>(0));
}

// A reference beyond what the type holds is limited to it; one that is not a number is matched by such alone.
TEST(NarrowFloats, JudgesWhatSaturates) {
  const auto ratio = [](auto type, double got, double expected) {
    return judge<decltype(type)>(got, expected, 0.5, 0, 0).ratio;
  };
  EXPECT_EQ(ratio(e4m3{}, 448, 1e9), 0);
  EXPECT_EQ(ratio(e4m3{}, 448, INFINITY), 0);
  EXPECT_EQ(ratio(e4m3{}, -448, -INFINITY), 0);
  EXPECT_EQ(ratio(e4m3{}, -448, INFINITY), INFINITY);
  EXPECT_EQ(ratio(e4m3{}, 416, INFINITY), INFINITY);
  EXPECT_EQ(ratio(e4m3{}, NAN, 1e9), INFINITY);
  EXPECT_EQ(ratio(e4m3{}, NAN, NAN), 0);
  EXPECT_EQ(ratio(e5m2{}, INFINITY, INFINITY), 0);
  EXPECT_EQ(ratio(e5m2{}, 57344, INFINITY), 0);
  EXPECT_EQ(ratio(e5m2{}, INFINITY, 57344), INFINITY);
  EXPECT_EQ(ratio(e2m1{}, 6, NAN), INFINITY);
  EXPECT_EQ(ratio(f16{}, 65504, INFINITY), INFINITY);
  EXPECT_LE(ratio(e4m3{}, 1, 1.0625), 1);  // half an ulp
  EXPECT_GT(ratio(e4m3{}, 1, 1.07), 1);
}

}  // namespace
}  // namespace podium::program
