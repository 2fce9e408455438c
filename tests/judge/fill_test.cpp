// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: distributions, extremes, and that an element's bits depend on seed, tensor and index alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "suite/problem/fills/fills.hpp"
#include "suite/problem/program/fill.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using problem::Dtype;

// Two inputs of one dtype and shape [n] under one fill.
std::string inputs(const std::string& type, const std::string& fill, std::int64_t n) {
  return R"y(podium: 1
title: t
axes: [n]
tensors:
  a: { role: input, dtype: )y" +
         type + ", shape: [n], fill: " + fill + R"y( }
  b: { role: input, dtype: )y" +
         type + ", shape: [n], fill: " + fill + R"y( }
  c: { role: output, dtype: i32, shape: [] }
reference: { c: { index: [], value: "1" } }
workloads: { test: [{ n: )y" +
         std::to_string(n) + " }], quick: [{ n: 3 }], bench: [{ n: 3 }] }\n";
}

template <class T>
std::vector<T> filled(const std::string& type, const std::string& fill, std::int64_t n, std::uint64_t seed,
                      int groups = 5, const std::string& name = "a") {
  Judged j(inputs(type, fill, n));
  j.device.most_groups = groups;
  j.evaluator.fill(seed);
  const T* data = j.data<T>(name);
  return {data, data + n};
}

struct Moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
};
template <class T>
Moments moments(const std::vector<T>& values) {
  Moments m;
  for (const T value : values) {
    const auto x = static_cast<double>(program::widen(value));
    m.mean += x, m.variance += x * x, m.low = std::min(m.low, x), m.high = std::max(m.high, x);
  }
  const auto n = static_cast<double>(values.size());
  m.mean /= n;
  m.variance = m.variance / n - m.mean * m.mean;
  return m;
}

constexpr std::int64_t many = 1000003;

TEST(Fill, NormalHasItsMeanVarianceAndExtremes) {
  const std::string fill = "{ normal: { mean: 3, stddev: 2 } }";
  const auto check = [](const Moments& m, double rounding) {
    EXPECT_NEAR(m.mean, 3, 5 * 2 / std::sqrt(many) + rounding);
    EXPECT_NEAR(m.variance, 4, 0.03 + rounding);
    EXPECT_GE(m.low, 3 - 2 * 3.4642 - rounding);
    EXPECT_LE(m.high, 3 + 2 * 3.4642 + rounding);
    EXPECT_GT(m.high, 3 + 2 * 3.2);
    EXPECT_LT(m.low, 3 - 2 * 3.2);
  };
  check(moments(filled<float>("f32", fill, many, 1)), 0);
  check(moments(filled<double>("f64", fill, many, 2)), 0);
  check(moments(filled<program::f16>("f16", fill, many, 3)), 0.004);
  check(moments(filled<program::bf16>("bf16", fill, many, 4)), 0.03);
}

// Inputs that repeat would make a radix sort, or a hash, look faster than it is.
TEST(Fill, NormalNumbersDiffer) {
  auto values = filled<float>("f32", "{ normal: { mean: 0, stddev: 1 } }", many, 21);
  std::map<int, int> low_byte;
  for (const float x : values) ++low_byte[std::bit_cast<std::uint32_t>(x) & 0xff];
  ASSERT_EQ(low_byte.size(), 256u);
  for (const auto& [value, count] : low_byte)
    EXPECT_NEAR(count, many / 256.0, 6 * std::sqrt(many / 256.0)) << value;
  std::sort(values.begin(), values.end());
  const auto distinct = std::unique(values.begin(), values.end()) - values.begin();
  EXPECT_GT(distinct, many * 9 / 10);
}

TEST(Fill, NormalOfAllOnesAndAllZerosIsSymmetric) {
  const program::FillNumbers numbers{0, 1, 0, 0, 0};
  const program::u32 zeros[2] = {0, 0}, ones[2] = {~0u, ~0u};
  const double low = program::fill_element<double, program::FillKind::normal>(numbers, zeros, 0);
  const double high = program::fill_element<double, program::FillKind::normal>(numbers, ones, 0);
  EXPECT_NEAR(low, -high, 2 * 0x1p32 * program::normal_scale) << "but for the fraction";
  EXPECT_NEAR(high, std::sqrt(12.0), 1e-4);
  const double scale = program::normal_scale * 0x1p32, byte_scale = program::byte_normal_scale * 0x1p32;
  EXPECT_DOUBLE_EQ(scale * scale * ((65536.0 * 65536.0 - 1) / 3 + 1.0 / 12), 1);
  EXPECT_DOUBLE_EQ(byte_scale * byte_scale * ((256.0 * 256.0 - 1) / 3 + 1.0 / 12), 1);
}

TEST(Fill, UniformStaysBelowHigh) {
  const auto f32 = moments(filled<float>("f32", "{ uniform: { low: 1, high: 2 } }", many, 5));
  EXPECT_GE(f32.low, 1);
  EXPECT_LT(f32.high, 2);
  EXPECT_NEAR(f32.mean, 1.5, 0.002);
  EXPECT_NEAR(f32.variance, 1.0 / 12, 0.001);
  const auto bf16 = moments(filled<program::bf16>("bf16", "{ uniform: { low: 0, high: 1 } }", many, 6));
  EXPECT_EQ(bf16.high, 1 - 0x1p-8) << "the largest below 1 occurs, 1 does not";
  EXPECT_LT(moments(filled<program::f16>("f16", "{ uniform: { low: -1, high: 1 } }", many, 7)).high, 1);
  EXPECT_EQ(moments(filled<float>("f32", "{ uniform: { low: 2, high: 2 } }", 100, 7)).high, 2);
  EXPECT_EQ(problem::largest_below(Dtype::f16, 0), -0x1p-24);
  EXPECT_EQ(problem::largest_below(Dtype::bf16, -1), -1 - 0x1p-7);
  EXPECT_EQ(problem::largest_below(Dtype::f16, 0.1), 0.0999755859375);
  EXPECT_EQ(problem::largest_below(Dtype::f32, 1), 1 - 0x1p-24);
  EXPECT_EQ(problem::largest_below(Dtype::f64, 1), 1 - 0x1p-53);
}

TEST(Fill, IntegersReachBothEnds) {
  std::map<std::int32_t, int> seen;
  for (const auto x : filled<std::int32_t>("i32", "{ integers: { low: -2, high: 2 } }", many, 8)) ++seen[x];
  ASSERT_EQ(seen.size(), 5u);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, many / 5.0, 5 * std::sqrt(many / 5.0)) << value;
  std::set<std::uint8_t> bytes;
  for (const auto x : filled<std::uint8_t>("u8", "{ integers: { low: 0, high: 255 } }", many, 9))
    bytes.insert(x);
  EXPECT_EQ(bytes.size(), 256u);
  std::set<std::uint8_t> bits;
  for (const auto x : filled<std::uint8_t>("bool", "{ integers: { low: 0, high: 1 } }", 1000, 9))
    bits.insert(x);
  EXPECT_EQ(bits, (std::set<std::uint8_t>{0, 1}));
  const auto wide = moments(filled<program::i64>(
      "i64", "{ integers: { low: -9000000000000000, high: 9000000000000000 } }", many, 10));
  EXPECT_LT(wide.low, -8.9e15);
  EXPECT_GT(wide.high, 8.9e15);
  const auto full =
      moments(filled<program::i32>("i32", "{ integers: { low: -2147483648, high: 2147483647 } }", many, 10));
  EXPECT_LT(full.low, -2.14e9);
  EXPECT_GT(full.high, 2.14e9);
}

TEST(Fill, ConstantsAndSequences) {
  for (const auto x : filled<float>("f32", "zeros", 1000, 1)) EXPECT_EQ(x, 0);
  for (const auto x : filled<program::bf16>("bf16", "ones", 1000, 1)) EXPECT_EQ(program::widen(x), 1);
  const auto sequence = filled<std::int32_t>("i32", "{ sequence: { first: 5, step: -3 } }", 1000, 1);
  for (std::int32_t k = 0; k < 1000; ++k) EXPECT_EQ(sequence[static_cast<std::size_t>(k)], 5 - 3 * k);
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(Fill, BitsDependOnSeedTensorAndIndexAlone) {
  const std::string fill = "{ normal: { mean: 0, stddev: 1 } }";
  const auto one = filled<float>("f32", fill, 10007, 42, 1);
  EXPECT_TRUE(same_bits(one, filled<float>("f32", fill, 10007, 42, 13)));
  EXPECT_FALSE(same_bits(one, filled<float>("f32", fill, 10007, 43)));
  EXPECT_FALSE(same_bits(one, filled<float>("f32", fill, 10007, 42 | std::uint64_t{1} << 32)));
  EXPECT_FALSE(same_bits(one, filled<float>("f32", fill, 10007, 42, 5, "b")));
  auto longer = filled<float>("f32", fill, 20011, 42);
  longer.resize(10007);
  EXPECT_TRUE(same_bits(one, longer));
}

// Bits that every backend and every later version must reproduce: a published seed identifies its inputs.
TEST(Fill, KnownAnswers) {
  const auto normal = filled<float>("f32", "{ normal: { mean: 0, stddev: 1 } }", 3, 0);
  const program::Block4 block = program::philox(0, 0, program::stream_of(program::Stream::fill, 0));
  EXPECT_EQ(block.word[0], 0x6627e8d5u);
  const std::uint32_t mixed = (0x6627e8d5u ^ 0x6627e8d5u >> 15) * 0x9e3779b1u;
  const double short_fraction = ((mixed ^ mixed >> 13) + 0.5) / 0x1p32 - 0.5;
  EXPECT_EQ(normal[0], static_cast<float>((0x66 + 0x27 + 0xe8 + 0xd5 - 510 + short_fraction) *
                                          std::sqrt(12 / (0x1p18 - 3))));
  const auto normal64 = filled<double>("f64", "{ normal: { mean: 0, stddev: 1 } }", 1, 0);
  const std::uint32_t hash =
      (0x6627e8d5u ^ 0xe169c58du >> 15) * 0x9e3779b1u ^ (0xe169c58du ^ 0x6627e8d5u >> 13) * 0x85ebca6bu;
  const double fraction = (hash + 0.5) / 0x1p32 - 0.5;
  EXPECT_EQ(normal64[0],
            (0x6627 + 0xe8d5 + 0xe169 + 0xc58d - 131070 + fraction) * std::sqrt(12 / (0x1p34 - 3)));
  const auto uniform = filled<double>("f64", "{ uniform: { low: 0, high: 1 } }", 2, 0);
  EXPECT_EQ(uniform[0], double(0xe169c58d6627e8d5 >> 11) * 0x1p-53);
  const auto integers = filled<std::int32_t>("i32", "{ integers: { low: 10, high: 19 } }", 4, 0);
  EXPECT_EQ(integers[3], 10 + static_cast<int>((std::uint64_t{0x9b00dbd8} * 10) >> 32));
}

template <class T>
void expect_saturated(const std::string& type, double largest) {
  for (const char* const deviation : {"1e200", "1.7e308"}) {
    const auto values =
        filled<T>(type, std::string("{ normal: { mean: 0, stddev: ") + deviation + " } }", 4096, 5);
    int negative = 0;
    for (const T value : values) {
      ASSERT_EQ(std::abs(program::widen(value)), largest) << type << " " << deviation;
      negative += program::widen(value) < 0;
    }
    EXPECT_GT(negative, 1800) << type;
    EXPECT_LT(negative, 2300) << type;
  }
}
TEST(FillNormal, OfAnyDeviationSaturates) {
  expect_saturated<program::e4m3>("e4m3", 448);
  expect_saturated<program::e5m2>("e5m2", 57344);
  expect_saturated<program::e4m3_fnuz>("e4m3_fnuz", 240);
  expect_saturated<program::e5m2_fnuz>("e5m2_fnuz", 57344);
}
TEST(FillNormal, IsBelowWhatRoundingReliesOn) {
  problem::TensorInstance input;
  input.ready_fill = problem::ready_fill("normal");
  input.fill_second = 1.7e308;
  for (const Dtype dtype : {Dtype::e4m3, Dtype::e5m2, Dtype::e4m3_fnuz, Dtype::e5m2_fnuz, Dtype::e2m1}) {
    input.dtype = dtype;
    EXPECT_LT(4 * program::double_of(problem::fill_words(input)[2]), 0x1p500) << problem::info(dtype).name;
  }
}
TEST(FillNormal, OfDoublesHasItsDeviationWhole) {
  const auto one = filled<double>("f64", "{ normal: { mean: 0, stddev: 1 } }", 100, 5);
  const auto large = filled<double>("f64", "{ normal: { mean: 0, stddev: 1e200 } }", 100, 5);
  for (std::size_t i = 0; i < one.size(); ++i) ASSERT_EQ(large[i], one[i] * 1e200) << i;
}

}  // namespace
}  // namespace podium::judge
