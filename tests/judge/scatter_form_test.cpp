// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form scatter against plain loops.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* histograms = R"y(constants: { bins: 6 }
tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  b: { role: input, dtype: i32, shape: [m], fill: { integers: { low: 0, high: 5 } } }
  count: { role: output, dtype: i32, shape: [bins] }
  sum: { role: output, dtype: f64, shape: [bins, n], tolerance: { ulp: 1, growth: 1e-6, scale: magnitude } }
  peak: { role: output, dtype: f32, shape: [n, bins], tolerance: { ulp: 0 } }
  sign: { role: output, dtype: i64, shape: [bins] }
  low: { role: output, dtype: i64, shape: [bins] }
reference:
  count: { index: [v], scatter: { over: { t: m }, at: { v: "b(t)" }, op: count, term: "1" } }
  sum: { index: [v, j], scatter: { over: { t: m }, at: { v: "b(t)" }, op: sum, term: "x(t, j)" } }
  peak: { index: [j, v], scatter: { over: { t: m }, at: { v: "b(t)" }, op: max, term: "x(t, j)", where: "t % 3 != 0" } }
  sign: { index: [v], scatter: { over: { t: m }, at: { v: "b(t)" }, op: product, term: "t % 2 == 0 ? 1 : -1" } }
  low: { index: [v], scatter: { over: { t: m, u: { low: t, high: "min(t + 3, m)" } }, at: { v: "b(u)" }, op: min, term: "t" } }
sample: { v: 2, j: 3 }
)y";

void expect_histograms(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1], bins = 6;
  const auto* x = judged.data<float>("x");
  const auto* b = judged.data<std::int32_t>("b");
  auto* count = judged.data<std::int32_t>("count");
  auto* sum = judged.data<double>("sum");
  auto* peak = judged.data<float>("peak");
  auto *sign = judged.data<std::int64_t>("sign"), *low = judged.data<std::int64_t>("low");
  std::fill_n(count, bins, 0);
  std::fill_n(sum, bins * n, 0.0);
  std::fill_n(peak, bins * n, -std::numeric_limits<float>::infinity());
  std::fill_n(sign, bins, 1);
  std::fill_n(low, bins, std::numeric_limits<std::int64_t>::max());
  for (std::int64_t t = 0; t < m; ++t) {
    ++count[b[t]];
    sign[b[t]] *= t % 2 == 0 ? 1 : -1;
    for (std::int64_t j = 0; j < n; ++j) {
      sum[b[t] * n + j] += x[t * n + j];
      if (t % 3 != 0) peak[j * bins + b[t]] = std::max(peak[j * bins + b[t]], x[t * n + j]);
    }
    for (std::int64_t u = t; u < std::min(t + 3, m); ++u) low[b[u]] = std::min(low[b[u]], t);
  }
}

class ScatterForm : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(ScatterForm, AgreesWithALoop) {
  const auto [m, n] = GetParam();
  const std::string test = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  for (const bool full : {true, false})
    for (const int groups : {1, 7})
      agrees(problem_of(histograms, test), full, groups, expect_histograms,
             [](Judged& judged) { judged.data<std::int32_t>("count")[5] += 1; });
}
INSTANTIATE_TEST_SUITE_P(Sizes, ScatterForm,
                         testing::Values(std::pair{0, 4}, std::pair{1, 1}, std::pair{2, 0},
                                         std::pair{1000, 9}));

// In fp64 without compensation, 1 plus any of the small terms is 1 again.
TEST(ScatterForm, SumsForF64OutputsAreCompensated) {
  constexpr const char* tiny = R"y(tensors:
  x: { role: input, dtype: f64, shape: [n], fill: { index: [t], value: "t == 0 ? 1 : ldexp(1, -60)" } }
  plain: { role: output, dtype: f64, shape: [m], tolerance: { ulp: 0.5, growth: 0 } }
  scaled: { role: output, dtype: f64, shape: [m], tolerance: { ulp: 0.5, growth: 0, scale: magnitude } }
  huge: { role: output, dtype: f64, shape: [m], tolerance: { ulp: 0, growth: 0 } }
  whole: { role: output, dtype: i64, shape: [m] }
reference:
  plain: { index: [v], scatter: { over: { t: n }, at: { v: "t % m" }, op: sum, term: "x(t)" } }
  scaled: { index: [v], scatter: { over: { t: n }, at: { v: "t % m" }, op: sum, term: "-x(t)" } }
  huge: { index: [v], scatter: { over: { t: n }, at: { v: "t % m" }, op: sum, term: "t == m ? infinity : x(t)" } }
  whole: { index: [v], scatter: { over: { t: n }, at: { v: "t % m" }, op: sum, term: "t" } }
)y";
  const auto write = [](Judged& judged) {
    const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
    for (std::int64_t v = 0; v < m; ++v) {
      const double all = (v == 0 ? 1 : 0x1p-60) + static_cast<double>((n - 1 - v) / m) * 0x1p-60;
      judged.data<double>("plain")[v] = all;
      judged.data<double>("scaled")[v] = -all;
      judged.data<double>("huge")[v] = v == 0 ? std::numeric_limits<double>::infinity() : all;
      std::int64_t& whole = judged.data<std::int64_t>("whole")[v] = 0;
      for (std::int64_t t = v; t < n; t += m) whole += t;
    }
  };
  for (const std::string test : {"{ m: 1, n: 100000 }", "{ m: 3, n: 70001 }"})
    for (const int groups : {1, 5})
      agrees(problem_of(tiny, test), true, groups, write,
             [](Judged& judged) { judged.data<double>("plain")[0] = 1; });
}

TEST(ScatterForm, TargetsOutOfRangeAreTheProblemsFault) {
  const auto yaml = [](const std::string& more) {
    return problem_of(R"y(tensors:
  y: { role: output, dtype: i32, shape: [n, m] }
reference:
  y: { index: [v, w], scatter: { over: { t: n }, at: { v: "t - 2" }, op: count, term: "1")y" +
                          more + " } }\n",
                      "{ m: 3, n: 4 }");
  };
  EXPECT_THAT(
      fault_of(yaml("")),
      AllOf(HasSubstr("problem.yaml:7: found reference y to scatter into y[-"),
            HasSubstr("in workload m=3,n=4, expected targets within its ranges { v: [0, 4], w: [0, 3] }; "
                      "or a `where`")));
  EXPECT_EQ(fault_of(yaml(", where: \"t >= 2\"")), "no error");
}

}  // namespace
}  // namespace podium::judge
