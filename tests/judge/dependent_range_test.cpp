// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Loops whose ranges use outer indices, inputs or references: triangles, windows, segments; and how long
// they are thought to get.
#include "suite/problem/formula/dependent_range.hpp"

#include <algorithm>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr const char* windows = R"y(tensors:
  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: -9, high: 9 } } }
  p: { role: input, dtype: i32, shape: [m], fill: { sequence: { first: 0, step: 3 } } }
  triangle: { role: output, dtype: i64, shape: [n] }
  window: { role: output, dtype: i64, shape: [n] }
  pairs: { role: output, dtype: i64, shape: [m] }
  stretch: { role: output, dtype: i64, shape: [m] }
  empty: { role: output, dtype: i64, shape: [n] }
reference:
  triangle: { index: [i], reduce: { over: { j: i + 1 }, op: sum, term: "x(j) * j" } }
  window: { index: [i], reduce: { over: { e: ["max(i - 2, 0)", "min(i + 3, n)"] }, op: max, term: "x(e) * (e - i)" } }
  pairs: { index: [s], reduce: { over: { a: n, b: [a, n], c: { low: b, high: b + s % 2 + 1, most: 2 } }, op: sum, term: "(x(a) - x(b)) * (c - s)" } }
  last: { index: { t: m }, value: "min(p(t) + 3, n)" }
  stretch: { index: [s], reduce: { over: { e: { low: "min(p(s), n)", high: last(s), most: 3 } }, op: sum, term: "x(e)" } }
  empty: { index: [i], reduce: { over: { j: [i + 5, i / 2] }, op: count, term: "1" } }
sample: { i: 4, s: 2 }
)y";

void expect_windows(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  const auto* x = judged.data<std::int32_t>("x");
  for (std::int64_t i = 0; i < n; ++i) {
    auto &triangle = judged.data<std::int64_t>("triangle")[i],
         &window = judged.data<std::int64_t>("window")[i];
    triangle = 0, window = std::numeric_limits<std::int64_t>::min();
    for (std::int64_t j = 0; j <= i; ++j) triangle += x[j] * j;
    for (std::int64_t e = std::max<std::int64_t>(i - 2, 0); e < std::min(i + 3, n); ++e)
      window = std::max(window, x[e] * (e - i));
    judged.data<std::int64_t>("empty")[i] = 0;
  }
  for (std::int64_t s = 0; s < m; ++s) {
    auto &pairs = judged.data<std::int64_t>("pairs")[s], &stretch = judged.data<std::int64_t>("stretch")[s];
    pairs = stretch = 0;
    for (std::int64_t a = 0; a < n; ++a)
      for (std::int64_t b = a; b < n; ++b)
        for (std::int64_t c = b; c < b + s % 2 + 1; ++c) pairs += (x[a] - x[b]) * (c - s);
    for (std::int64_t e = std::min(3 * s, n); e < std::min(3 * s + 3, n); ++e) stretch += x[e];
  }
}

TEST(DependentRange, AgreesWithALoop) {
  for (const char* test : {"{ m: 1, n: 1 }", "{ m: 5, n: 17 }", "{ m: 9, n: 130 }", "{ m: 2, n: 0 }"})
    for (const bool full : {true, false})
      for (const int groups : {1, 9})
        agrees(problem_of(windows, test), full, groups, expect_windows,
               [](Judged& judged) { judged.data<std::int64_t>("pairs")[judged.elements("pairs") - 1] += 1; });
}

// One long element is split over groups by its stated length.
TEST(DependentRange, LongElementsAreSplit) {
  const std::string yaml = problem_of(R"y(tensors:
  y: { role: output, dtype: i64, shape: [m] }
reference:
  y: { index: [i], reduce: { over: { a: { high: "n - i * i", most: n }, b: 2 }, op: sum, term: "a * (b + 1)" } }
)y",
                                      "{ m: 3, n: 100000 }");
  for (const int groups : {1, 64})
    agrees(yaml, true, groups, [](Judged& judged) {
      for (std::int64_t i = 0; i < 3; ++i) {
        const std::int64_t high = 100000 - i * i;
        judged.data<std::int64_t>("y")[i] = 3 * (high * (high - 1) / 2);
      }
    });
}

TEST(DependentRange, MostValuesAreFoundByTrying) {
  const problem::Problem problem = problem::parse("trial", problem_of(windows, "{ m: 5, n: 17 }"), "p.yaml");
  const auto instance = problem::instantiate(problem, problem.choices[0], problem.workloads[0]);
  const auto scope = problem::scope_of(problem, instance);
  const auto most = [&](const std::string& name, std::size_t k) {
    for (const auto& reference : problem.references)
      if (reference.name == name) return problem::most_values(reference, k, scope);
    return std::int64_t{-1};
  };
  EXPECT_EQ(most("triangle", 0), 17);
  EXPECT_EQ(most("window", 0), 5);
  EXPECT_EQ(most("pairs", 1), 17);
  EXPECT_EQ(most("stretch", 0), 3);
  EXPECT_EQ(most("empty", 0), 0);
}

}  // namespace
}  // namespace podium::judge
