// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills by `value` and `permutation`: bits of a model in other words (integers of any length), shared draws,
// one rounding, and that a permutation is one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "suite/problem/program/fill_draw.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using program::bf16;
using program::f16;
using program::i64;
using program::u64;

// An input of the dtype, shape and fill, beside one of zeros; axes n and m. `more`: a second test workload.
std::string input(const std::string& type, const std::string& shape, const std::string& fill, i64 n,
                  i64 m = 1, const std::string& more = "") {
  return R"y(podium: 1
title: t
axes: [n, m]
parameters: { p: f32 }
constants: { four: 4, half: 0.5 }
tensors:
  a: { role: input, dtype: )y" +
         type + ", shape: " + shape + ", fill: " + fill + R"y( }
  b: { role: input, dtype: )y" +
         type + ", shape: " + shape + ", fill: " + fill + R"y( }
  c: { role: output, dtype: i32, shape: [] }
reference: { c: { index: [], value: "1" } }
workloads: { test: [{ n: )y" +
         std::to_string(n) + ", m: " + std::to_string(m) + ", p: 0.1 }" + more +
         "], quick: [{ n: 3, m: 1, p: 1 }], bench: [{ n: 3, m: 1, p: 1 }] }\n";
}

template <class T>
std::vector<T> filled(const std::string& yaml, std::uint64_t seed = 42, const std::string& name = "a",
                      int groups = 5, std::size_t workload = 0) {
  Judged j(yaml, true, 0, workload);
  j.device.most_groups = groups;
  j.evaluator.fill(seed);
  const T* data = j.data<T>(name);
  return {data, data + j.elements(name)};
}

// What the tensor holds under each of the terms: a program with a workload for each.
template <class T>
std::vector<std::vector<T>> each(const std::string& type, const std::string& shape, const std::string& index,
                                 const std::vector<std::string>& terms, i64 n = 1, i64 m = 1,
                                 const std::string& name = "a") {
  std::string more;
  for (std::size_t k = 0; k < terms.size(); ++k)
    more += ", { n: " + std::to_string(n) + ", m: " + std::to_string(m) + ", p: 0.1, name: t" +
            std::to_string(k) + ", fill: { " + name + ": { index: " + index + ", value: \"" + terms[k] +
            "\" } } }";
  Judged j(input(type, shape, "zeros", n, m, more));
  std::vector<std::vector<T>> all;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    j.evaluator.begin(problem::instantiate(j.problem, j.choice, j.problem.workloads[k + 1]), true);
    j.evaluator.fill(42);
    const T* data = j.data<T>(name);
    all.emplace_back(data, data + j.elements(name));
  }
  return all;
}
template <class T>
T one(const std::string& type, const std::string& term) {
  return each<T>(type, "[n]", "[i]", {term})[0][0];
}

bool is_permutation(std::vector<i64> row) {
  std::sort(row.begin(), row.end());
  for (std::size_t k = 0; k < row.size(); ++k)
    if (row[k] != static_cast<i64>(k)) return false;
  return true;
}

TEST(Permutation, HoldsEveryNumberOnceWhateverItsLength) {
  for (const i64 n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 255, 256, 257, 1000, 65537})
    EXPECT_TRUE(is_permutation(filled<i64>(input("i64", "[n]", "permutation", n)))) << n;
  EXPECT_EQ(filled<i64>(input("i64", "[]", "permutation", 1)), std::vector<i64>{0}) << "a single number";
}

TEST(Permutation, IsOfEachRowOrOfTheTensor) {
  const i64 rows = 50, n = 37;
  const auto by_row = filled<i64>(input("i64", "[m, n]", "permutation", n, rows));
  std::set<std::vector<i64>> different;
  for (i64 row = 0; row < rows; ++row) {
    const std::vector<i64> one(by_row.begin() + row * n, by_row.begin() + (row + 1) * n);
    EXPECT_TRUE(is_permutation(one)) << row;
    different.insert(one);
  }
  EXPECT_EQ(different.size(), std::size_t{50});
  EXPECT_EQ(by_row, filled<i64>(input("i64", "[m, n]", "{ permutation: { over: row } }", n, rows)));
  EXPECT_TRUE(
      is_permutation(filled<i64>(input("i64", "[m, n]", "{ permutation: { over: tensor } }", n, rows))));
  EXPECT_TRUE(filled<i64>(input("i64", "[m, n]", "permutation", 0, 5)).empty());
}

TEST(Permutation, DependsOnSeedTensorAndRowAlone) {
  const auto yaml = input("i32", "[n]", "permutation", 1001);
  const auto one = filled<std::int32_t>(yaml, 1, "a", 1);
  EXPECT_EQ(one, filled<std::int32_t>(yaml, 1, "a", 13));
  EXPECT_NE(one, filled<std::int32_t>(yaml, 2));
  EXPECT_NE(one, filled<std::int32_t>(yaml, u64{1} << 32 | 1));
  EXPECT_NE(one, filled<std::int32_t>(yaml, 1, "b"));
}

TEST(Permutation, IsTheModels) {
  using testing::ElementsAre;
  EXPECT_THAT(filled<std::int32_t>(input("i32", "[m, n]", "permutation", 10, 2)),
              ElementsAre(7, 2, 0, 3, 8, 6, 5, 4, 9, 1, 5, 9, 2, 0, 1, 6, 3, 4, 8, 7));
  EXPECT_THAT(filled<std::int32_t>(input("i32", "[n]", "permutation", 13), 42, "b"),
              ElementsAre(12, 10, 11, 0, 1, 7, 8, 4, 9, 5, 3, 2, 6));
  std::vector<float> in_floats;
  for (const f16 x : filled<f16>(input("f16", "[n]", "permutation", 3), u64{7} << 32 | 5, "a"))
    in_floats.push_back(static_cast<float>(program::widen(x)));
  EXPECT_EQ(in_floats.size(), 3u);
  EXPECT_THAT(in_floats, testing::UnorderedElementsAre(0, 1, 2));
}

// Each of the n! orders of few, and each place of more, comes up as often as chance has it.
TEST(Permutation, OrdersAreEquallyFrequent) {
  constexpr int draws = 24000;
  const program::Halves four = program::halves_of(4), ten = program::halves_of(10);
  std::map<std::vector<i64>, int> orders;
  std::map<i64, int> places;
  for (u64 seed = 0; seed < draws; ++seed) {
    const program::Block4 key = program::permutation_key(seed, 0, 0);
    std::vector<i64> order;
    for (i64 k = 0; k < 4; ++k) order.push_back(program::permuted(key, four, 4, k));
    ++orders[order];
    ++places[program::permuted(key, ten, 10, 3)];
  }
  EXPECT_EQ(orders.size(), 24u);
  for (const auto& [order, count] : orders) EXPECT_NEAR(count, draws / 24, 5 * std::sqrt(draws / 24));
  EXPECT_EQ(places.size(), 10u);
  for (const auto& [place, count] : places) EXPECT_NEAR(count, draws / 10, 5 * std::sqrt(draws / 10));
}

TEST(Permutation, ReachesBeyond32Bits) {
  const i64 n = (i64{1} << 40) + 12345;
  const program::Block4 key = program::permutation_key(3, 0, 0);
  std::set<i64> seen;
  for (i64 k = n - 5000; k < n; ++k) {
    const i64 x = program::permuted(key, program::halves_of(n), n, k);
    EXPECT_GE(x, 0);
    EXPECT_LT(x, n);
    seen.insert(x);
  }
  EXPECT_EQ(seen.size(), 5000u);
  EXPECT_GT(*seen.rbegin(), n / 100 * 99);
  EXPECT_LT(*seen.begin(), n / 100);
}

TEST(Value, DrawsAreTheModels) {
  const auto a = each<double>("f64", "[m, n]", "[i, j]",
                              {"random(0)", "random(0, i, j)", "random(1)", "normal(0)", "random(0, -1)",
                               "random(0, 1099511627776, 5, 6, 7)", "normal(0, 0, 0)"},
                              5, 4);
  constexpr std::size_t at = 1 * 5 + 2;  // element [1, 2]
  EXPECT_EQ(a[0][at], 0x1.3d02963174b88p-3);
  EXPECT_EQ(a[1], a[0]) << "a draw's own coordinates are the indices";
  EXPECT_EQ(a[2][at], 0x1.e520bd38fad78p-4);
  EXPECT_EQ(a[3][at], 0x1.015dbb6e1b4dep-2);
  EXPECT_EQ(a[4], std::vector<double>(20, 0x1.592df2c6c3e13p-1));
  EXPECT_EQ(a[5], std::vector<double>(20, 0x1.cd9b852ff891ep-2));
  EXPECT_EQ(a[6], std::vector<double>(20, 0x1.4ac120da9477fp+0));
  const auto b = each<double>("f64", "[m, n]", "[i, j]", {"random(0, i, j, 3)"}, 5, 4, "b");
  EXPECT_EQ(b[0][at], 0x1.71d36f34ba268p-1);
  EXPECT_EQ(each<double>("f64", "[]", "[]", {"random(3)"})[0], std::vector<double>{0x1.508dd122450d0p-3});
}

TEST(Value, ElementsThatNameTheSameCoordinatesShareADraw) {
  const i64 n = 61;
  const auto a = filled<float>(
      input("f32", "[n, n]",
            "{ index: [i, j], value: \"i == j ? n + normal(1) : normal(0, min(i, j), max(i, j))\" }", n));
  const auto at = [&](i64 i, i64 j) { return a[static_cast<std::size_t>(i * n + j)]; };
  std::set<float> different;
  for (i64 i = 0; i < n; ++i) {
    EXPECT_NEAR(at(i, i), static_cast<float>(n), 3.5);
    for (i64 j = 0; j < i; ++j) {
      EXPECT_EQ(at(i, j), at(j, i));
      different.insert(at(i, j));
    }
  }
  EXPECT_GT(different.size(), std::size_t{1820}) << "of 1830 pairs";
}

TEST(Value, DrawsHaveTheirMomentsAndAreIndependent) {
  const i64 n = 200003;
  double u = 0, uu = 0, z = 0, zz = 0, uz = 0, low = 1, high = 0;
  const auto both = each<double>("f64", "[n]", "[i]", {"random(0)", "normal(0)"}, n);
  const auto &uniform = both[0], &normal = both[1];
  for (std::size_t k = 0; k < uniform.size(); ++k) {
    u += uniform[k], uu += uniform[k] * uniform[k], z += normal[k], zz += normal[k] * normal[k];
    uz += (uniform[k] - 0.5) * normal[k];
    low = std::min(low, uniform[k]), high = std::max(high, uniform[k]);
  }
  EXPECT_NEAR(u / n, 0.5, 0.004);
  EXPECT_NEAR(uu / n, 1.0 / 3, 0.004);
  EXPECT_NEAR(z / n, 0, 0.012);
  EXPECT_NEAR(zz / n, 1, 0.02);
  EXPECT_NEAR(uz / n, 0, 0.004);
  EXPECT_GE(low, 0);
  EXPECT_LT(high, 1);
}

TEST(Value, ComputesWithAxesParametersConstantsAndFunctions) {
  const auto a = filled<double>(input("f64", "[m, n]",
                                      "{ index: [i, j], value: \"i * n + j / four + half * p + sqrt(i) + "
                                      "floor(-0.5) + ldexp(3, j) + abs(-i) + "
                                      "ceil_div(j, 2) + max(i, j) - min(i, 1) + ceil(0.1)\" }",
                                      7, 3));
  const auto p = static_cast<double>(0.1f);
  for (i64 i = 0; i < 3; ++i)
    for (i64 j = 0; j < 7; ++j)
      EXPECT_DOUBLE_EQ(a[static_cast<std::size_t>(i * 7 + j)],
                       static_cast<double>(i * 7 + j / 4) + 0.5 * p + std::sqrt(double(i)) - 1 +
                           3 * std::exp2(double(j)) + double(i) + double((j + 1) / 2) +
                           double(std::max(i, j)) - double(std::min<i64>(i, 1)) + 1)
          << i << ", " << j;
}

// Nothing may be contracted: a * b + c of doubles whose product is not exact.
TEST(Value, RoundsEveryOperation) {
  const auto all = each<double>(
      "f64", "[n]", "[i]", {"random(0) * random(1) + random(2)", "random(0)", "random(1)", "random(2)"}, 999);
  const auto &a = all[0], &x = all[1], &y = all[2], &z = all[3];
  int contracted = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    volatile double product = x[k] * y[k];
    EXPECT_EQ(a[k], product + z[k]);
    contracted += std::fma(x[k], y[k], z[k]) != product + z[k];
  }
  EXPECT_GT(contracted, 20) << "else this test could not fail";
}

TEST(Value, IsRoundedOnceToItsDtype) {
  // 1 + 2^-8 + 2^-40 lies just above the middle of two bf16 numbers; in two steps, over f32, it would go
  // down.
  const auto narrow =
      each<bf16>("bf16", "[n]", "[i]", {"1 + ldexp(1, -8) + ldexp(1, -40)", "1 + ldexp(1, -8)"});
  EXPECT_EQ(program::widen(narrow[0][0]), 1 + 0x1p-7);
  EXPECT_EQ(program::widen(narrow[1][0]), 1) << "to even";
  // The same of an integer that no double holds.
  const i64 middle = (i64{1} << 62) + (i64{1} << 54);
  EXPECT_EQ(program::widen(program::drawn_element<bf16>(middle + 1)), 0x1p62 + 0x1p55);
  EXPECT_EQ(program::widen(program::drawn_element<bf16>(middle)), 0x1p62);
  EXPECT_EQ(program::widen(program::drawn_element<bf16>(-middle - 1)), -0x1p62 - 0x1p55);
  EXPECT_EQ(program::drawn_element<float>((i64{1} << 62) + (i64{1} << 38) + 1), 0x1p62f + 0x1p39f);
  const auto i8 = each<std::int8_t>("i8", "[n]", "[i]", {"-1000 + i", "1000.5", "-0.5"});
  EXPECT_EQ(i8[0][0], -128);
  EXPECT_EQ(i8[1][0], 127);
  EXPECT_EQ(i8[2][0], -1) << "downwards";
  EXPECT_EQ(one<std::uint8_t>("bool", "i == 0"), 1);
  EXPECT_EQ(one<u64>("u64", "18446744073709551615u"), ~u64{0});
  EXPECT_EQ(program::drawn_element<std::int32_t>(~u64{0}), 2147483647);
  EXPECT_EQ(program::drawn_element<i64>(i64{INT64_MIN}), INT64_MIN);
  EXPECT_EQ(program::drawn_element<u64>(i64{-1}), 0u);
  EXPECT_EQ(program::drawn_element<std::uint8_t>(i64{-3}), 0);
  EXPECT_EQ(program::drawn_element<std::int32_t>(std::nan("")), 0);
  const auto f32 = each<float>("f32", "[n]", "[i]", {"0.0 / 0", "ldexp(1, -149)"});
  EXPECT_TRUE(std::isnan(f32[0][0]));
  EXPECT_EQ(f32[1][0], 0x1p-149f) << "denormal";
}

TEST(Value, OfAWorkloadReplacesTheTensors) {
  const std::string more =
      ", { n: 4, m: 1, p: 1, name: own, fill: { a: { index: [k], value: \"10 + k\" } } }";
  const auto yaml = input("i32", "[n]", "{ index: [i], value: \"i\" }", 3, 1, more);
  EXPECT_THAT(filled<std::int32_t>(yaml), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(filled<std::int32_t>(yaml, 42, "a", 5, 1), testing::ElementsAre(10, 11, 12, 13));
  EXPECT_THAT(filled<std::int32_t>(yaml, 42, "b", 5, 1), testing::ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(filled<std::int32_t>(input("i32", "[n, m]", "{ index: [i, j], value: \"i\" }", 0, 3)).empty());
}

TEST(Value, BitsDependOnSeedTensorAndCoordinatesAlone) {
  const auto yaml = input("f32", "[m, n]", "{ index: [i, j], value: \"normal(0)\" }", 100, 70);
  const auto one = filled<float>(yaml, 42, "a", 1);
  EXPECT_EQ(one, filled<float>(yaml, 42, "a", 13));
  EXPECT_NE(one, filled<float>(yaml, 43));
  EXPECT_NE(one, filled<float>(yaml, 42, "b"));
  const auto more_rows =
      filled<float>(input("f32", "[m, n]", "{ index: [i, j], value: \"normal(0)\" }", 100, 90));
  EXPECT_TRUE(std::equal(one.begin(), one.end(), more_rows.begin()));
}

// A mask as attention has it: nothing, or minus infinity. What a dtype does not hold is its largest number.
TEST(Value, InfinityIsKnown) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::string> terms{"i == 0 ? -infinity : 0", "infinity - 1",
                                       "-infinity * (1 + random(0))"};
  EXPECT_EQ(each<float>("f32", "[n]", "[i]", terms, 2),
            (std::vector<std::vector<float>>{{-INFINITY, 0}, {INFINITY, INFINITY}, {-INFINITY, -INFINITY}}));
  EXPECT_EQ(each<double>("f64", "[n]", "[i]", terms, 2),
            (std::vector<std::vector<double>>{{-infinity, 0}, {infinity, infinity}, {-infinity, -infinity}}));
  for (const auto& [type, bits] : {std::pair<const char*, unsigned>{"f16", 0xfc00}, {"bf16", 0xff80}}) {
    const auto mask = each<std::uint16_t>(type, "[n]", "[i]", terms, 2);
    EXPECT_EQ(mask[0], (std::vector<std::uint16_t>{static_cast<std::uint16_t>(bits), 0})) << type;
    EXPECT_EQ(mask[1][0], bits & 0x7fff) << type;
  }
  EXPECT_EQ(each<std::int32_t>("i32", "[n]", "[i]", terms, 2),
            (std::vector<std::vector<std::int32_t>>{
                {INT32_MIN, 0}, {INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}));
  EXPECT_EQ(each<std::uint8_t>("u8", "[n]", "[i]", terms, 2),
            (std::vector<std::vector<std::uint8_t>>{{0, 0}, {255, 255}, {0, 0}}));
  EXPECT_EQ(each<std::uint8_t>("e4m3", "[n]", "[i]", terms, 2)[0],
            (std::vector<std::uint8_t>{0xfe, 0}));  // -448: rounding into narrow floats saturates
}

}  // namespace
}  // namespace podium::judge
