// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks, probes and excuses over structure, over parts in use and together with the forms of references.
#include <bit>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A ragged batch of `m` rows of at most `n`: offsets, and tensors of which offsets(m) elements are in use.
std::string ragged(const std::string& outputs, const std::string& rest,
                   const std::string& sizes = "{ m: 30, n: 7 }") {
  return problem_of(
      R"y(structure:
  length: { dtype: i32, shape: [m], private: true, compute: "for (b : m) out(b) = random.below(n + 1);" }
  offsets: { dtype: i32, shape: [m + 1], compute: "for (b : m) out(b + 1) = out(b) + length(b);" }
tensors:
  x: { role: input, dtype: f32, shape: [m * n], used: "offsets(m)", fill: normal }
)y" + outputs +
          rest,
      sizes);
}

const std::string y_in_use = "  y: { role: output, dtype: f32, shape: [m * n], used: \"offsets(m)\" }\n";
const std::string y_compared =
    "  y: { role: output, dtype: f32, shape: [m * n], used: \"offsets(m)\", tolerance: { ulp: 1 } }\n";

void copy(Judged& j) { std::copy_n(j.data<float>("x"), j.elements("x"), j.data<float>("y")); }

TEST(RaggedChecks, RangesFollowStructureAndIndicesWithoutRangesThePartInUse) {
  const std::string checks =
      "checks:\n"
      "  same: { index: [e], value: \"y(e) - x(e)\", limit: 0 }\n"
      "  sums: { index: { b: m }, reduce: { over: { e: [\"offsets(b)\", \"offsets(b + 1)\"] }, op: sum, "
      "term: \"y(e) - x(e)\" }, limit: 0 }\n"
      "  rows: { index: [b], value: \"length(b) < 0 || y(0) != y(0)\", limit: 0 }\n";
  for (const bool full : {true, false})
    for (const int groups : {1, 5})
      agrees(ragged(y_in_use, checks + "sample: { b: 3, e: 4 }\n"), full, groups, copy, [](Judged& j) {
        const std::int64_t used = j.elements("y");
        ASSERT_LT(used, 30 * 7);
        j.data<float>("y")[used - 1] += 1;  // the last in use is in every sample
        const Finding found = j.evaluator.verify(forms_seed, forms_poison);
        EXPECT_THAT(found.text, HasSubstr("check same at e = " + std::to_string(used - 1) + ": found 1"));
      });
}

TEST(RaggedChecks, BuiltInChecksSeeThePartInUse) {
  const std::string checks =
      "checks: { up: { sorted: y }, all: { permutation: [y, x] }, once: { distinct: y }, "
      "real: { finite: y } }\n";
  const auto solve = [](Judged& j) {
    copy(j);
    std::sort(j.data<float>("y"), j.data<float>("y") + j.elements("y"));
    j.data<float>("y")[j.elements("y")] = std::numeric_limits<float>::quiet_NaN();  // not in use: ignored
  };
  for (const int groups : {1, 6})
    agrees(ragged(y_in_use, checks), true, groups, solve, [&](Judged& j) {
      float* y = j.data<float>("y");
      const std::int64_t last = j.elements("y") - 1;
      y[last] = y[last - 1];
      EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                  AllOf(HasSubstr("y does not hold the elements of x"),
                        HasSubstr("y[" + std::to_string(last) + "] is "), HasSubstr("as is y[")));
    });
}

TEST(RaggedChecks, SizesThatFollowStructureAreComparedWhenItIsComputed) {
  const std::string wide = "  y: { role: output, dtype: f32, shape: [m * n + 8], used: \"offsets(m)\" }\n";
  const std::string check = "checks: { up: { sorted: y }, all: { permutation: [y, x] } }\n";
  EXPECT_NO_THROW(Judged(ragged(wide, check)));
  const std::string more =
      "  y: { role: output, dtype: f32, shape: [m * n + 8], used: \"offsets(m) + 1\" }\n";
  try {
    Judged j(ragged(more, check));
    ADD_FAILURE() << "was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("checks.all"), HasSubstr("expected equally many")));
  }
}

TEST(RaggedChecks, NothingInUseIsAlwaysRight) {
  const std::string checks =
      "checks:\n  up: { sorted: y }\n  all: { permutation: [y, x] }\n  once: { distinct: y }\n"
      "  same: { index: [e], value: \"y(e) - x(e)\", limit: 0 }\n";
  for (const bool full : {true, false})
    agrees(ragged(y_in_use, checks + "sample: { e: 4 }\n", "{ m: 3, n: 0 }"), full, 3, [](Judged&) {});
}

TEST(RaggedChecks, ExcusesCountElementsInUse) {
  const std::string rest =
      "reference:\n"
      "  tie: { index: { e: \"offsets(m)\" }, value: \"e % 25 == 24\" }\n"
      "  y: { index: [e], value: \"2 * x(e)\", unless: tie }\n";
  const auto solve = [](Judged& j) {
    for (std::int64_t e = 0; e < j.elements("y"); ++e)
      j.data<float>("y")[e] = e % 25 == 24 ? 7.0F : 2 * j.data<float>("x")[e];
  };
  const std::string yaml = ragged(y_compared, rest, "{ m: 40, n: 9 }");
  agrees(yaml, true, 4, solve, [](Judged& j) {
    const std::int64_t used = j.elements("y");
    ASSERT_GT(used, 25);
    EXPECT_THAT(j.evaluator.verify(forms_seed, forms_poison).text,
                HasSubstr(std::to_string(used / 25) + " of them excused by tie"));
    j.data<float>("y")[25] += 1;
  });
  // Of all elements 5 %, of those in use more than chance makes of it.
  std::string greedy = ragged(y_compared, rest, "{ m: 400, n: 9 }");
  greedy.replace(greedy.find("e % 25 == 24"), 12, "e < m * n / 20");
  EXPECT_THAT(fault_of(greedy), HasSubstr("found tie to excuse 180 of "));
}

// s(t) = z(t) + s(t - 1) / 2 over the probe, and the same of what the contestant wrote: y = the matrix of
// that recurrence.
TEST(RaggedChecks, AProbeRunsThroughARecurrence) {
  const std::string yaml = problem_of(
      "tensors:\n"
      "  x: { role: input, dtype: f64, shape: [m, n], fill: normal }\n"
      "  y: { role: output, dtype: f64, shape: [m, n] }\n"
      "probe: { z: { shape: [m] } }\n"
      "reference:\n"
      "  s: { index: { t: n }, recur: { along: t, first: \"zx(0)\", next: \"zx(t) + s(t - 1) / 2\" } }\n"
      "  zx: { index: { j: n }, reduce: { over: { i: m }, op: sum, term: \"z(i) * x(i, j)\" } }\n"
      "  zy: { index: { j: n }, reduce: { over: { i: m }, op: sum, term: \"z(i) * y(i, j)\" } }\n"
      "checks:\n"
      "  filtered: { index: [t], value: \"zy(t) - s(t)\", limit: 1e-9 }\n"
      "sample: { t: 3 }\n",
      "{ m: 9, n: 33 }");
  const auto solve = [](Judged& j) {
    for (int i = 0; i < 9; ++i)
      for (int t = 0; t < 33; ++t)
        j.data<double>("y")[33 * i + t] =
            j.data<double>("x")[33 * i + t] + (t ? j.data<double>("y")[33 * i + t - 1] / 2 : 0);
  };
  for (const bool full : {true, false})
    agrees(yaml, full, 3, solve, [](Judged& j) { j.data<double>("y")[32] += 1e-3; });
}

TEST(Blame, WhatAContestantLeadsAstrayIsItsOwnFault) {
  const auto astray = [](const std::string& reference, const std::string& term, std::int32_t number) {
    const std::string yaml =
        ragged("  p: { role: output, dtype: i32, shape: [m] }\n",
               reference + "checks: { c: { index: { i: m }, value: \"" + term +
                   "\", limit: 1e9 }, d: { index: [i], value: \"p(i) * 0\", limit: 0 } }\n");
    Judged j(yaml);
    j.evaluator.fill(forms_seed);
    std::fill_n(j.data<std::int32_t>("p"), 30, number);
    try {
      const Finding found = j.evaluator.verify(forms_seed, 0xa5);  // forms_poison is -1, a number of p
      return (found.right ? "right: " : found.written ? "wrong: " : "unwritten: ") + found.text;
    } catch (const Error& error) {
      return std::string("problem: ") + error.what();
    }
  };
  EXPECT_THAT(astray("", "length(p(i))", -1),
              testing::StartsWith("wrong: checks.c reads length[-1] by a number that the contestant wrote"));
  EXPECT_THAT(astray("", "length(p(i) * 0 + i)", 3), testing::StartsWith("right: "));
  EXPECT_THAT(astray("", "segment(offsets, p(i))", -1),
              testing::StartsWith("wrong: checks.c looks for segment(offsets, -1) by a number"));
  EXPECT_THAT(astray("", "segment(offsets, -1 - i) + p(i)", 1), testing::StartsWith("problem: "));
  EXPECT_THAT(astray("", "7 / p(i)", 0),
              testing::StartsWith("wrong: checks.c divides 7 by a number that the contestant wrote"));
  EXPECT_THAT(astray("", "ceil_div(7, p(i))", 0), testing::StartsWith("wrong: checks.c divides "));
  EXPECT_THAT(astray("", "7 % (1 + p(i))", -1), testing::StartsWith("wrong: checks.c divides 7 "));
  EXPECT_THAT(astray("", "p(i) / (m - 30)", 1), testing::StartsWith("problem: "));  // 0 is the problem's
  EXPECT_THAT(astray("", "p(i) / (i - m) + 5 % (m - 30)", 1), testing::StartsWith("problem: "));
  const std::string histogram =
      "reference: { h: { index: { b: 4 }, scatter: { over: { k: m }, at: { b: \"p(k)\" }, op: count, term: "
      "1 } } }\n";
  EXPECT_THAT(astray(histogram, "h(0) - m + p(i) * 0", 0), testing::StartsWith("right: "));
  EXPECT_THAT(astray(histogram, "h(0) + p(i)", 4),
              testing::StartsWith("wrong: reference h scatters into h[4] by a number"));
  const std::string jump =
      "reference: { s: { index: { t: m }, recur: { along: t, first: 1, next: \"s(t - p(t)) + 1\" } } }\n";
  EXPECT_THAT(astray(jump, "s(i) - i - 1 + 0 * p(i)", 1), testing::StartsWith("right: "));
  EXPECT_THAT(astray(jump, "s(i) + p(i)", 0),
              testing::StartsWith("wrong: reference s calls s[1] before that step by a number"));
  const std::string sorted =
      "reference: { o: { index: { r: m }, order: { along: { k: m }, by: \"p(k)\" } } }\n";
  EXPECT_THAT(astray(sorted, "p(o(i)) - p(i)", -9), testing::StartsWith("right: "));
  EXPECT_THAT(astray(sorted, "x(o(i) + 30 * 7) + p(i)", 1),  // too far whatever the order
              testing::StartsWith("wrong: checks.c reads x["));
}

}  // namespace
}  // namespace podium::judge
