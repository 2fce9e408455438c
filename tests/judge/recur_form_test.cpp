// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form recur against plain loops: lines of their own, lines that read each other, Cholesky by columns.
#include <cmath>
#include <vector>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* states = R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  a: { role: input, dtype: f32, shape: [m], fill: { uniform: { low: 0.5, high: 1 } } }
  s: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 2, growth: 0 } }
  fib: { role: output, dtype: u64, shape: [n] }
  pascal: { role: output, dtype: i64, shape: [m, n] }
  half: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0 } }
reference:
  s: { index: [i, t], recur: { along: t, first: "x(i, 0)", next: "a(i) * s(i, t - 1) + x(i, t)" } }
  fib: { index: [t], recur: { along: t, first: "1", next: "t < 2 ? 1 : (fib(t - 1) + fib(t - 2)) % 1000007" } }
  steps: { index: { u: m, k: n }, recur: { along: u, first: "k == 0 ? 1 : 0", next: "(steps(u - 1, k) + (k > 0 ? steps(u - 1, k - 1) : 0)) % 1000003" } }
  pascal: { index: [i, j], value: "steps(i, j)" }
  half: { index: [t], recur: { along: t, first: "1", next: "half(t - 1) / 2.0" } }
sample: { i: 3, t: 5, j: 4 }
)y";

void expect_states(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  for (std::int64_t i = 0; i < m; ++i) {
    double state = 0;
    for (std::int64_t t = 0; t < n; ++t) {
      const double x = judged.data<float>("x")[i * n + t];
      state = t == 0 ? x : judged.data<float>("a")[i] * state + x;
      judged.data<double>("s")[i * n + t] = state;
    }
  }
  auto* fib = judged.data<std::uint64_t>("fib");
  for (std::int64_t t = 0; t < n; ++t) {
    fib[t] = t < 2 ? 1 : (fib[t - 1] + fib[t - 2]) % 1000007;
    judged.data<double>("half")[t] = std::ldexp(1.0, static_cast<int>(-t));
  }
  auto* pascal = judged.data<std::int64_t>("pascal");
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      pascal[i * n + j] =
          i == 0 ? (j == 0 ? 1 : 0)
                 : (pascal[(i - 1) * n + j] + (j > 0 ? pascal[(i - 1) * n + j - 1] : 0)) % 1000003;
}

class RecurForm : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(RecurForm, AgreesWithALoop) {
  const auto [m, n] = GetParam();
  const std::string test = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  for (const bool full : {true, false})
    for (const int groups : {1, 7})
      agrees(
          problem_of(states, test), full, groups, expect_states,
          m * n == 0 ? std::function<void(Judged&)>()
                     : [](Judged& judged) { judged.data<double>("s")[judged.elements("s") - 1] += 0.001; });
}
INSTANTIATE_TEST_SUITE_P(Sizes, RecurForm,
                         testing::Values(std::pair{1, 1}, std::pair{0, 3}, std::pair{3, 0}, std::pair{2, 2},
                                         std::pair{17, 40}, std::pair{9, 1500}));

// 1500 lines that read each other are more than one group takes through: a launch a step.
TEST(RecurForm, CholeskyByColumnsCallsAnyEarlierColumn) {
  const std::string yaml = problem_of(R"y(tensors:
  g: { role: input, dtype: f32, shape: [m, n, n], fill: normal }
  l: { role: output, dtype: f64, shape: [m, n, n], tolerance: { ulp: 64, growth: 1e-5 } }
reference:
  a: { index: { b: m, i: n, j: n }, reduce: { over: { k: n }, op: sum, term: "g(b, i, k) * g(b, j, k) + (i == j ? 0.1 : 0.0)" } }
  l:
    index: [b, i, j]
    recur:
      along: j
      first: "a(b, i, 0) / sqrt(a(b, 0, 0))"
      next: |
        if (i < j) return 0.0;
        double below = a(b, i, j), pivot = a(b, j, j);
        for (i64 k = 0; k < j; ++k) {
          below -= l(b, i, k) * l(b, j, k);
          pivot -= l(b, j, k) * l(b, j, k);
        }
        return below / sqrt(pivot);
sample: { b: 3 }
)y",
                                      "{ m: 5, n: 4 }");
  const auto expect = [](Judged& judged) {
    constexpr int n = 4;
    for (int b = 0; b < 5; ++b) {
      const float* g = judged.data<float>("g") + b * n * n;
      double* l = judged.data<double>("l") + b * n * n;
      double a[n][n] = {};
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < n; ++k) a[i][j] += double(g[i * n + k]) * g[j * n + k] + (i == j ? 0.1 : 0.0);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          double sum = a[i][j];
          for (int k = 0; k < j && j <= i; ++k) sum -= l[i * n + k] * l[j * n + k];
          l[i * n + j] = i < j ? 0 : i == j ? std::sqrt(sum) : sum / l[j * n + j];
        }
    }
  };
  for (const bool full : {true, false})
    agrees(yaml, full, 3, expect, [](Judged& judged) { judged.data<double>("l")[4 * 16 + 15] += 1e-4; });
}

TEST(RecurForm, AStepThatIsNotThereYetIsTheProblemsFault) {
  const auto yaml = [](const std::string& next) {
    return problem_of(R"y(tensors:
  s: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 1 } }
reference:
  s: { index: [i, t], recur: { along: t, first: "1", next: ")y" +
                          next + "\" } }\n",
                      "{ m: 3, n: 4 }");
  };
  EXPECT_THAT(fault_of(yaml("s(i, t + 0)")),
              AllOf(HasSubstr("problem.yaml:7: found reference s to call s["),
                    HasSubstr("before that step in workload m=3,n=4, expected only earlier values of t")));
  EXPECT_THAT(fault_of(yaml("s(i, t - 2)")), HasSubstr("found reference s to read s["));
  EXPECT_THAT(fault_of(yaml("s(i - 1, t - 1)")), HasSubstr("found reference s to read s[-1, 0]"));
}

}  // namespace
}  // namespace podium::judge
