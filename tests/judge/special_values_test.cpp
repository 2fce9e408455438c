// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NaN, infinities, denormal numbers and zeros of both signs in inputs, through every form of reference but
// order, whose test has its own: against loops of IEEE 754 arithmetic, in which NaN wins.
#include <cmath>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Each row but the first holds one kind of them. Of ones with signs products are the same in any order.
const std::string special = R"y(podium: 1
title: t
axes: [n]
constants: { rows: 8 }
tensors:
  x:
    role: input
    dtype: f32
    shape: [rows, n]
    fill:
      index: [i, j]
      value: >-
        i == 1 && j == n / 2 ? 0.0 / 0 : i == 2 && j == n - 1 ? ldexp(1.0, 200) : i == 3 && j == 0 ? -ldexp(1.0, 200)
        : i == 4 && (j == 0 || j == n - 1) ? (j == 0 ? 1 : -1) * ldexp(1.0, 200) : i == 5 ? ldexp(1.0, -149 + j % 9)
        : i == 6 ? (j % 2 == 0 ? -1 : 1) * 0.0 : i == 7 && j % 3 == 2 ? 0.0 / 0 : j % 3 == 0 ? -1 : 1
  twice: { role: output, dtype: f64, shape: [rows, n], tolerance: { ulp: 0 } }
  sum: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 1 } }
  single: { role: output, dtype: f32, shape: [rows], tolerance: { ulp: 1, growth: 1, scale: magnitude } }
  product: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 1 } }
  high: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 0 } }
  low: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 0 } }
  nonzero: { role: output, dtype: i64, shape: [rows] }
  sums: { role: output, dtype: f64, shape: [rows, n], tolerance: { ulp: 1 } }
  highs: { role: output, dtype: f64, shape: [rows, n], tolerance: { ulp: 0 } }
  into: { role: output, dtype: f64, shape: [rows, 2], tolerance: { ulp: 1 } }
  most: { role: output, dtype: f64, shape: [rows, 2], tolerance: { ulp: 0 } }
  state: { role: output, dtype: f64, shape: [rows, n], tolerance: { ulp: 1 } }
  body: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 1 } }
  walked: { role: output, dtype: f64, shape: [rows], tolerance: { ulp: 1 } }
reference:
  twice: { index: [i, j], value: "2 * x(i, j)" }
  sum: { index: [i], reduce: { over: { j: n }, op: sum, term: "x(i, j)" } }
  single: { index: [i], reduce: { over: { j: n }, op: sum, term: "x(i, j)" } }
  product: { index: [i], reduce: { over: { j: n }, op: product, term: "x(i, j)" } }
  high: { index: [i], reduce: { over: { j: n }, op: max, term: "x(i, j)" } }
  low: { index: [i], reduce: { over: { j: n }, op: min, term: "x(i, j)" } }
  nonzero: { index: [i], reduce: { over: { j: n }, op: count, term: "x(i, j)" } }
  sums: { index: [i, j], scan: { along: j, op: sum, term: "x(i, j)" } }
  highs: { index: [i, j], scan: { along: j, op: max, term: "x(i, j)" } }
  into: { index: [i, v], scatter: { over: { j: n }, at: { v: "j % 2" }, op: sum, term: "x(i, j)" } }
  most: { index: [i, v], scatter: { over: { j: n }, at: { v: "j % 2" }, op: max, term: "x(i, j)" } }
  state: { index: [i, j], recur: { along: j, first: "x(i, 0)", next: "max(state(i, j - 1), x(i, j)) - 0.5 * x(i, j)" } }
  body: { index: [i], code: "double s = 0; for (i64 j = 0; j < n; ++j) s += x(i, j) * 0.5; return s;" }
  walked: { index: [i], host: "for (i64 i = 0; i < rows; ++i) { double s = 0; for (i64 j = 0; j < n; ++j) s = min(s, x(i, j)); out(i) = s; }" }
)y";

double upper(double a, double b) { return std::isnan(a) || std::isnan(b) ? nan : a > b ? a : b; }
double lower(double a, double b) { return std::isnan(a) || std::isnan(b) ? nan : a < b ? a : b; }

// The form host has only test workloads.
std::string special_problem(std::int64_t n) {
  return special + "workloads: { test: [{ n: " + std::to_string(n) + " }] }\n";
}

void expect_special(Judged& judged) {
  const std::int64_t n = judged.instance.axes[0];
  for (std::int64_t i = 0; i < 8; ++i) {
    const float* x = judged.data<float>("x") + i * n;
    double sum = 0, product = 1, high = -infinity, low = infinity, walked = 0, state = 0;
    double into[2] = {0, 0}, most[2] = {-infinity, -infinity};
    std::int64_t nonzero = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const double v = x[j];
      judged.data<double>("twice")[i * n + j] = 2 * v;
      judged.data<double>("sums")[i * n + j] = sum += v;
      judged.data<double>("highs")[i * n + j] = high = upper(high, v);
      judged.data<double>("state")[i * n + j] = state = j == 0 ? v : upper(state, v) - 0.5 * v;
      product *= v, low = lower(low, v), walked = lower(walked, v);
      into[j % 2] += v, most[j % 2] = upper(most[j % 2], v);
      nonzero += v != 0;
    }
    judged.data<double>("sum")[i] = sum;
    judged.data<float>("single")[i] = static_cast<float>(sum);
    judged.data<double>("product")[i] = product;
    judged.data<double>("high")[i] = high;
    judged.data<double>("low")[i] = low;
    judged.data<std::int64_t>("nonzero")[i] = nonzero;
    std::copy_n(into, 2, judged.data<double>("into") + 2 * i);
    std::copy_n(most, 2, judged.data<double>("most") + 2 * i);
    judged.data<double>("body")[i] = sum * 0.5;
    judged.data<double>("walked")[i] = walked;
  }
}

class SpecialValues : public testing::TestWithParam<int> {};

TEST_P(SpecialValues, PassThroughEveryForm) {
  for (const int groups : {1, 7}) agrees(special_problem(GetParam()), true, groups, expect_special);
}

// The inputs hold what they should, and a finite number in place of NaN, of an infinity, or of a NaN in place
// of a number is seen in each output.
TEST_P(SpecialValues, AreToldFromNumbers) {
  const std::int64_t n = GetParam();
  Judged judged(special_problem(n));
  judged.evaluator.fill(forms_seed);
  expect_special(judged);
  const float* x = judged.data<float>("x");
  ASSERT_TRUE(std::isnan(x[n + n / 2]));
  ASSERT_EQ(x[2 * n + n - 1], infinity);
  ASSERT_EQ(x[3 * n], -infinity);
  ASSERT_EQ(x[5 * n], 0x1p-149f);
  ASSERT_TRUE(std::signbit(x[6 * n]));
  ASSERT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right);
  for (const std::string name :
       {"sum", "product", "high", "body", "walked", "sums", "state", "into", "most"}) {
    const std::int64_t count = judged.elements(name);
    for (std::int64_t at = 0; at < count; at += std::max<std::int64_t>(count / 16, 1)) {
      double& number = judged.data<double>(name)[at];
      const double kept = number;
      number = std::isfinite(kept) ? nan : 1;
      EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right)
          << name << " " << at << ", " << kept;
      number = std::isfinite(kept) ? infinity : std::isnan(kept) ? -infinity : -kept;
      EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right)
          << name << " " << at << ", " << kept;
      number = kept;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Lengths, SpecialValues, testing::Values(3, 70, 5001));

// Sums of terms without end in fp64: an infinity that comes up on the way stays one, as compensation's own
// differences of infinities must not show.
TEST(SpecialValues, SumsThatOverflow) {
  const std::string yaml = problem_of(R"y(tensors:
  sum: { role: output, dtype: f64, shape: [], tolerance: { ulp: 1 } }
  sums: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 1 } }
reference:
  sum: { index: [], reduce: { over: { j: n }, op: sum, term: "ldexp(1.0, 1023)" } }
  sums: { index: [j], scan: { along: j, op: sum, term: "ldexp(1.0, 1023)" } }
)y",
                                      "{ m: 1, n: 3000 }");
  agrees(
      yaml, true, 5,
      [](Judged& judged) {
        *judged.data<double>("sum") = infinity;
        for (int j = 0; j < 3000; ++j) judged.data<double>("sums")[j] = j == 0 ? 0x1p1023 : infinity;
      },
      [](Judged& judged) { judged.data<double>("sums")[2999] = nan; });
}

}  // namespace
}  // namespace podium::judge
