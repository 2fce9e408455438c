// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References against closed forms and plain loops: forms, ops, ranges, sizes, types, samples.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seed = 0x5eed;
constexpr std::uint8_t poison = 0xff;

// y[i, j], a function of x[i, j] and of row statistics.
std::string softmax(const std::string& rows, const std::string& cols, const std::string& type = "f32") {
  return R"y(podium: 1
title: t
axes: [rows, cols]
tensors:
  x: { role: input, dtype: )y" +
         type + R"y(, shape: [rows, cols], fill: normal }
  y: { role: output, dtype: )y" +
         type + R"y(, shape: [rows, cols], tolerance: { ulp: 1, growth: 4 } }
reference:
  peak: { index: { i: rows }, reduce: { over: { j: cols }, op: max, term: "x(i, j)" } }
  total: { index: { i: rows }, reduce: { over: { j: cols }, op: sum, term: "exp(x(i, j) - peak(i))" } }
  y: { index: [i, j], value: "exp(x(i, j) - peak(i)) / total(i)" }
sample: { i: 5, j: 7 }
workloads: { test: [{ rows: )y" +
         rows + ", cols: " + cols + " }], quick: [{ rows: 3, cols: 3 }], bench: [{ rows: 3, cols: 3 }] }\n";
}

void softmax_on_cpu(const float* x, float* y, std::int64_t rows, std::int64_t cols) {
  for (std::int64_t i = 0; i < rows; ++i) {
    double peak = -std::numeric_limits<double>::infinity(), total = 0;
    for (std::int64_t j = 0; j < cols; ++j) peak = std::max(peak, double(x[i * cols + j]));
    for (std::int64_t j = 0; j < cols; ++j) total += std::exp(x[i * cols + j] - peak);
    for (std::int64_t j = 0; j < cols; ++j) y[i * cols + j] = float(std::exp(x[i * cols + j] - peak) / total);
  }
}

class Sizes : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(Sizes, SoftmaxIsRightInFullAndSampled) {
  const auto [rows, cols] = GetParam();
  for (const bool full : {true, false}) {
    for (const int groups : {1, 2, 5, 64}) {
      Judged j(softmax(std::to_string(rows), std::to_string(cols)), full);
      j.device.most_groups = groups;
      j.evaluator.fill(seed);
      float* y = j.data<float>("y");
      softmax_on_cpu(j.data<float>("x"), y, rows, cols);
      const Finding right = j.evaluator.verify(seed, poison);
      EXPECT_TRUE(right.right) << right.text;
      EXPECT_LT(right.worst, 0.6) << right.text;
      if (rows * cols == 0) continue;
      y[rows * cols - 1] *= 1.001f;  // the last element is always verified
      const Finding wrong = j.evaluator.verify(seed, poison);
      EXPECT_FALSE(wrong.right);
      EXPECT_TRUE(wrong.written);
      EXPECT_GT(wrong.worst, 100);
      const std::string place = "y[" + std::to_string(rows - 1) + ", " + std::to_string(cols - 1) + "]";
      EXPECT_THAT(wrong.text, HasSubstr(place));
      EXPECT_THAT(wrong.text, HasSubstr("1 of "));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Reference, Sizes,
                         testing::Values(std::pair{1, 1}, std::pair{7, 1023}, std::pair{33, 31},
                                         std::pair{129, 257}, std::pair{0, 5}, std::pair{5, 1},
                                         std::pair{2, 4099}));

// One scalar output, `term` reduced over i in [low, high) with x[i] = first + step i.
std::string reduction(const std::string& op, const std::string& term, const std::string& n,
                      const std::string& type, const std::string& range = "n", const std::string& first = "1",
                      const std::string& step = "1") {
  const bool floating = type[0] == 'f';
  return R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: )y" +
         type + ", shape: [n], fill: { sequence: { first: " + first + ", step: " + step + R"y( } } }
  y: { role: output, dtype: )y" +
         (op == "count" ? "i64" : type) + ", shape: []" +
         (floating && op != "count" ? ", tolerance: { ulp: 1, growth: 0 }" : "") + R"y( }
reference:
  y: { index: [], reduce: { over: { i: )y" +
         range + " }, op: " + op + ", term: \"" + term + R"y(" } }
workloads: { test: [{ n: )y" +
         n + " }], quick: [{ n: 3 }], bench: [{ n: 3 }] }\n";
}

template <class T>
Finding with_result(const std::string& yaml, T value) {
  Judged j(yaml);
  j.evaluator.fill(seed);
  *j.data<T>("y") = value;
  return j.evaluator.verify(seed, poison);
}

TEST(Reference, OpsHaveTheirClosedForms) {
  for (const int n : {1, 2, 3, 16, 17, 1000, 4097}) {
    const std::string text = std::to_string(n);
    const double sum = 0.5 * n * (n + 1);
    EXPECT_TRUE(with_result<float>(reduction("sum", "x(i)", text, "f32"), float(sum)).right) << n;
    EXPECT_TRUE(with_result<double>(reduction("sum", "x(i)", text, "f64"), sum).right) << n;
    EXPECT_FALSE(with_result<double>(reduction("sum", "x(i)", text, "f64"), sum + 1).right) << n;
    EXPECT_TRUE(with_result<std::int64_t>(reduction("sum", "x(i) * x(i)", text, "i64"),
                                          std::int64_t(n) * (n + 1) * (2 * std::int64_t(n) + 1) / 6)
                    .right);
    EXPECT_TRUE(with_result<float>(reduction("max", "x(i)", text, "f32"), float(n)).right);
    EXPECT_TRUE(with_result<float>(reduction("min", "x(i)", text, "f32"), 1.0f).right);
    EXPECT_TRUE(with_result<std::int32_t>(reduction("max", "-x(i)", text, "i32"), -1).right);
    EXPECT_TRUE(with_result<std::int32_t>(reduction("min", "-x(i)", text, "i32"), -n).right);
    EXPECT_FALSE(with_result<std::int32_t>(reduction("min", "-x(i)", text, "i32"), -n + 1).right);
    EXPECT_TRUE(
        with_result<std::int64_t>(reduction("count", "x(i) > 2", text, "f32"), std::max(n - 2, 0)).right);
  }
  EXPECT_TRUE(with_result<double>(reduction("product", "x(i)", "20", "f64"), 2432902008176640000.0).right);
  EXPECT_TRUE(
      with_result<std::int64_t>(reduction("product", "x(i)", "20", "i64"), 2432902008176640000).right);
}

TEST(Reference, RangesAreHalfOpenAndMayBeEmpty) {
  EXPECT_TRUE(
      with_result<std::int64_t>(reduction("sum", "x(i)", "10", "i64", "[3, 7]"), 4 + 5 + 6 + 7).right);
  EXPECT_TRUE(with_result<std::int64_t>(reduction("sum", "x(i)", "10", "i64", "[n - 1, n]"), 10).right);
  EXPECT_TRUE(with_result<float>(reduction("sum", "x(i)", "0", "f32"), 0.0f).right);
  EXPECT_TRUE(with_result<float>(reduction("product", "x(i)", "0", "f32"), 1.0f).right);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(with_result<float>(reduction("max", "x(i)", "0", "f32"), -infinity).right);
  EXPECT_FALSE(with_result<float>(reduction("max", "x(i)", "0", "f32"), infinity).right);
  EXPECT_TRUE(with_result<float>(reduction("min", "x(i)", "0", "f32"), infinity).right);
}

TEST(Reference, IntegralTermsStayIntegral) {
  EXPECT_TRUE(with_result<std::int64_t>(reduction("sum", "x(i) / 2", "5", "i64"), 0 + 1 + 1 + 2 + 2).right);
  EXPECT_TRUE(with_result<double>(reduction("sum", "x(i) / 2", "5", "f64"), 7.5).right);
  // 2^53 + 1 is no double.
  EXPECT_TRUE(
      with_result<std::int64_t>(reduction("sum", "x(i) + 9007199254740992", "1", "i64"), 9007199254740993)
          .right);
  EXPECT_FALSE(
      with_result<std::int64_t>(reduction("sum", "x(i) + 9007199254740992", "1", "i64"), 9007199254740992)
          .right);
  EXPECT_TRUE(with_result<std::uint64_t>(reduction("max", "x(i) - 2", "1", "u64"), ~std::uint64_t{0}).right);
}

TEST(Reference, F64SumsAreCompensated) {  // 1 + n 2^-60, added one by one, stays 1 without compensation
  const std::string yaml = reduction("sum", "i == 0 ? 1.0 : 0x1p-60", "1048577", "f64");
  EXPECT_TRUE(with_result<double>(yaml, 1 + 0x1p-40).right);
  EXPECT_FALSE(with_result<double>(yaml, 1).right);
}

TEST(Reference, NestedReductionsAndFunctions) {
  const std::string yaml = R"y(podium: 1
title: t
axes: [n, k]
parameters: { scale: f32 }
constants: { width: 3, half: 0.5 }
tensors:
  x: { role: input, dtype: f32, shape: [n, k], fill: normal }
  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 8, growth: 0 } }
reference:
  y:
    index: [i]
    reduce:
      over: { a: [1, width], b: [0, k], c: 2 }
      op: sum
      term: "half * scale * ldexp(abs(x(min(i, n - 1), b)), a) + max(c, 0) * ceil_div(b, 2) * erf(0) + tanh(0) + floor(x(i, b)) - ceil(x(i, b))"
workloads: { test: [{ n: 6, k: 37, scale: 0.1 }], quick: [{ n: 3, k: 3, scale: 1 }], bench: [{ n: 3, k: 3, scale: 1 }] }
)y";
  Judged j(yaml);
  j.evaluator.fill(seed);
  const float* x = j.data<float>("x");
  for (int i = 0; i < 6; ++i) {
    double y = 0;
    for (int a = 1; a < 3; ++a)
      for (int b = 0; b < 37; ++b) {
        const double v = x[i * 37 + b];
        y += 2 * (0.5 * double(0.1f) * std::ldexp(std::abs(v), a) + std::floor(v) - std::ceil(v));
      }
    j.data<double>("y")[i] = y;
  }
  const Finding found = j.evaluator.verify(seed, poison);
  EXPECT_TRUE(found.right) << found.text;
  j.data<double>("y")[2] *= 1 + 1e-12;
  EXPECT_FALSE(j.evaluator.verify(seed, poison).right);
}

// An intermediate that one caller needs at the sample and another everywhere.
TEST(Reference, DomainsFollowTheCalls) {
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f64, shape: [n, n], tolerance: { ulp: 4 } }
  z: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 4 } }
reference:
  f: { index: { a: n }, value: "2 * x(a)" }
  g: { index: { a: n, b: n }, value: "f(a) - f(b)" }
  y: { index: [i, j], value: "g(i, j) + f(n - 1 - i) + g(j, 0)" }
  z: { index: [j], reduce: { over: { k: n }, op: sum, term: "g(j, k) * f(k)" } }
sample: { i: 3, j: 4 }
workloads: { test: [{ n: 41 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  for (const bool full : {true, false}) {
    Judged j(yaml, full);
    j.evaluator.fill(seed);
    const float* x = j.data<float>("x");
    const auto f = [&](int a) { return 2.0 * x[a]; };
    const auto g = [&](int a, int b) { return f(a) - f(b); };
    for (int r = 0; r < 41; ++r) {
      double z = 0;
      for (int c = 0; c < 41; ++c) {
        j.data<double>("y")[r * 41 + c] = g(r, c) + f(40 - r) + g(c, 0);
        z += g(r, c) * f(c);
      }
      j.data<double>("z")[r] = z;
    }
    const Finding found = j.evaluator.verify(seed, poison);
    EXPECT_TRUE(found.right) << found.text;
    j.data<double>("z")[40] *= 1.001;
    EXPECT_FALSE(j.evaluator.verify(seed, poison).right);
  }
}

}  // namespace
}  // namespace podium::judge
