// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The forms code and host against plain loops, and what of a problem only test workloads verify.
#include <cmath>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

// Collatz: no other form has a loop of unknown length.
constexpr const char* collatz = R"y(tensors:
  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: 1, high: 5000 } } }
  w: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: i32, shape: [n] }
  z: { role: output, dtype: f32, shape: [m, n], tolerance: { ulp: 1, growth: 1, scale: magnitude } }
reference:
  length:
    index: { t: n }
    code: |
      i64 steps = 0;
      for (i64 v = x(t); v != 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      return steps;
  y: { index: [j], value: "length(j) - length(n - 1 - j)" }
  z:
    index: [i, j]
    code: |
      double sum = 0;
      for (i64 k = 0; k <= i && k < n; ++k) sum += w(k) * length(j);
      return sum;
sample: { i: 2, j: 3 }
)y";

std::int64_t collatz_length(std::int64_t v) {
  std::int64_t steps = 0;
  for (; v != 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
  return steps;
}

TEST(CodeForm, AgreesWithALoop) {
  const auto expect = [](Judged& judged) {
    const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
    const auto* x = judged.data<std::int32_t>("x");
    for (std::int64_t j = 0; j < n; ++j) {
      judged.data<std::int32_t>("y")[j] =
          static_cast<std::int32_t>(collatz_length(x[j]) - collatz_length(x[n - 1 - j]));
      double sum = 0;
      for (std::int64_t i = 0; i < m; ++i) {
        if (i < n) sum += double(judged.data<float>("w")[i]) * double(collatz_length(x[j]));
        judged.data<float>("z")[i * n + j] = static_cast<float>(sum);
      }
    }
  };
  for (const bool full : {true, false})
    agrees(problem_of(collatz, "{ m: 5, n: 100 }"), full, 3, expect,
           [](Judged& judged) { judged.data<float>("z")[499] *= 1.0001f; });
  agrees(problem_of(collatz, "{ m: 1, n: 0 }"), true, 3, expect);
}

// Sums with carry, which run through everything before them in order.
const std::string walk = R"y(tensors:
  x: { role: input, dtype: i32, shape: [m, n], fill: { integers: { low: -9, high: 9 } } }
  y: { role: output, dtype: i32, shape: [m, n] }
  z: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, scale: magnitude } }
reference:
  best:
    index: { a: n }
    host: { integral: true, body: "for (i64 a = 0; a < n; ++a) out(a) = a == 0 ? 0 : max(out(a - 1) + a % 7, a % 3 * 5);" }
  y:
    index: [i, j]
    host: |
      i64 carry = 0;
      for (i64 i = 0; i < m; ++i)
        for (i64 j = 0; j < n; ++j) {
          carry = (carry * 3 + x(i, j) + best(j)) % 1009;
          out(i, j) = carry;
        }
  z: { index: [j], value: "best(j) * 0.5" }
)y";
const std::string walk_checks =
    "checks: { a: { permutation: [y, x] }, b: { sorted: z }, c: { index: [j], value: \"z(j)\", limit: 1e9 } "
    "}\nsample: { i: 2, j: 3 }\n";

void expect_walk(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  std::vector<std::int64_t> best(static_cast<std::size_t>(n));
  for (std::int64_t a = 1; a < n; ++a)
    best[static_cast<std::size_t>(a)] = std::max(best[static_cast<std::size_t>(a - 1)] + a % 7, a % 3 * 5);
  std::int64_t carry = 0;
  for (std::int64_t k = 0; k < m * n; ++k) {
    carry = (carry * 3 + judged.data<std::int32_t>("x")[k] + best[static_cast<std::size_t>(k % n)]) % 1009;
    judged.data<std::int32_t>("y")[k] = static_cast<std::int32_t>(carry);
  }
  for (std::int64_t j = 0; j < n; ++j)
    judged.data<float>("z")[j] = static_cast<float>(best[static_cast<std::size_t>(j)]) / 2;
}

TEST(HostForm, RunsInOrderAndFillsAWholeArray) {
  const std::string yaml =
      "podium: 1\ntitle: t\naxes: [m, n]\n" + walk + "workloads: { test: [{ m: 4, n: 60 }] }\n";
  agrees(yaml, true, 4, expect_walk, [](Judged& judged) { judged.data<std::int32_t>("y")[7] += 1; });
  agrees(yaml, true, 4, expect_walk, [](Judged& judged) { judged.data<float>("z")[59] += 1; });
}

TEST(HostForm, WhatIsNotAssignedIsTheProblemsFault) {
  std::string yaml =
      "podium: 1\ntitle: t\naxes: [m, n]\n" + walk + "workloads: { test: [{ m: 4, n: 60 }] }\n";
  yaml.replace(yaml.find("i64 j = 0; j < n"), 16, "i64 j = 1; j < n");
  EXPECT_THAT(fault_of(yaml),
              HasSubstr("found reference y to leave y[0, 0] unassigned in workload m=4,n=60"));
  const std::string real =
      "podium: 1\ntitle: t\naxes: [m, n]\ntensors:\n"
      "  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 1 } }\n"
      "reference:\n  r: { index: { k: n }, host: \"for (i64 k = 0; k < n - 1; ++k) out(k) = k ? 0.0 / 0.0 : "
      "1.0;\" }\n"
      "  y: { index: [i], value: \"r(i)\" }\nworkloads: { test: [{ m: 4, n: 60 }] }\n";
  EXPECT_THAT(fault_of(real), HasSubstr("found reference r to leave element number 59 unassigned"));
  yaml.replace(yaml.find("i64 j = 1; j < n"), 16, "i64 j = 0; j <=n");
  EXPECT_THAT(fault_of(yaml), HasSubstr("found reference y to read "));
}

// On other workloads checks alone speak for what needs the host.
TEST(HostForm, OtherWorkloadsHaveChecksOnly) {
  const std::string yaml = problem_of(walk + walk_checks, "{ m: 4, n: 60 }", "{ m: 3, n: 5 }");
  for (const std::size_t workload : {1u, 2u}) {
    Judged judged(yaml, false, 0, workload);
    judged.evaluator.fill(forms_seed);
    std::copy_n(judged.data<std::int32_t>("x"), 15, judged.data<std::int32_t>("y"));
    for (int j = 0; j < 5; ++j) judged.data<float>("z")[j] = static_cast<float>(j);
    EXPECT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right);
    judged.data<std::int32_t>("y")[2] += 1;
    EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right);
  }
  Judged test(yaml, true, 0, 0);
  test.evaluator.fill(forms_seed);
  std::copy_n(test.data<std::int32_t>("x"), 240, test.data<std::int32_t>("y"));
  EXPECT_FALSE(test.evaluator.verify(forms_seed, forms_poison).right);
}

}  // namespace
}  // namespace podium::judge
