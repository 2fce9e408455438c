// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Growth that uses its output's indices, against limits by hand for every element.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr double f32_eps = 0x1p-23;

constexpr const char* prefix = R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  y: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 0, growth: "(i + 1) * sqrt(j + 1) / 2", scale: magnitude } }
reference:
  y: { index: [i, j], scan: { along: j, op: sum, term: "x(i, j)" } }
sample: { i: 3, j: 4 }
)y";

// y[i, j] moved away from the sum of the first j + 1 elements by `times` its limit.
void move_prefixes(Judged& judged, double times) {
  const auto m = judged.instance.tensors[0].extents[0], n = judged.instance.tensors[0].extents[1];
  const auto* x = judged.data<float>("x");
  auto* y = judged.data<double>("y");
  for (std::int64_t i = 0; i < m; ++i) {
    double sum = 0, magnitude = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      sum += double{x[i * n + j]};
      magnitude += std::fabs(x[i * n + j]);
      const double growth = static_cast<double>(i + 1) * std::sqrt(static_cast<double>(j + 1)) / 2;
      y[i * n + j] = sum + times * growth * f32_eps * magnitude;
    }
  }
}

TEST(Growth, FollowsTheElementsIndices) {
  const std::string yaml = problem_of(prefix, "{ m: 7, n: 300 }");
  for (const bool full : {true, false})
    for (const double sign : {1.0, -1.0}) {
      agrees(
          yaml, full, 3, [&](Judged& judged) { move_prefixes(judged, sign * 0.999); },
          [&](Judged& judged) { move_prefixes(judged, sign * 1.001); });
      // One element only, where a growth of the largest indices would let it pass.
      agrees(
          yaml, true, 3, [](Judged& judged) { move_prefixes(judged, 0); },
          [](Judged& judged) {
            const double first = std::fabs(judged.data<float>("x")[0]);
            judged.data<double>("y")[0] += 0.51 * f32_eps * first;
          });
    }
}

// Each formula is the growth of an output that is 0 everywhere: y[i] may be as large as growth(i) eps.
TEST(Growth, MeansWhatFormulasMean) {
  using Growth = std::function<double(double)>;
  const double n = 9, c = 0.75, p = 3;
  const double table[] = {4, 1, 7, 2, 9, 3, 8, 5, 6};
  const std::vector<std::pair<std::string, Growth>> formulas{
      {"i / 2", [](double i) { return i / 2; }},
      {"1 / 2 + i", [](double i) { return 0.5 + i; }},
      {"010 + i * 1e-3 + .5", [](double i) { return 10.5 + i * 1e-3; }},
      {"2 - -i", [](double i) { return 2 + i; }},
      {"+i / 2", [](double i) { return i / 2; }},
      {"(i < 4) / (n > 2) + (i == 5) + (i != 5) / 4 + (i >= 3) + (i <= 2) * 3",
       [](double i) { return (i < 4) + (i == 5) + (i != 5) / 4.0 + (i >= 3) + (i <= 2) * 3.0; }},
      {"i > 2 && i < 6 || i == 8 ? 5 : i == 0 ? 7 : 1 / 4",
       [](double i) { return (i > 2 && i < 6) || i == 8 ? 5
                             : i == 0                   ? 7
                                                        : 0.25; }},
      {"abs(i - 4) + ceil(i / 3) + floor(i / 3) + ceil_div(i, 3)",
       [](double i) { return std::fabs(i - 4) + 2 * std::ceil(i / 3) + std::floor(i / 3); }},
      {"exp(i / 9) + log(i + 1) + log2(i + 1) + pow(i, 2) + sqrt(i) + tanh(i) + erf(i)",
       [](double i) {
         return std::exp(i / 9) + std::log(i + 1) + std::log2(i + 1) + i * i + std::sqrt(i) + std::tanh(i) +
                std::erf(i);
       }},
      {"ldexp(3, i) + min(i, 5, 3, n) + max(1, i, 4) + min(i) + max(i)",
       [](double i) { return 3 * std::pow(2, i) + std::min(i, 3.0) + std::max(i, 4.0) + 2 * i; }},
      {"i % 4 + 2 * i % 5 + (i == 0 ? 0 : 9 % i) + (4 - i) % 3 + 3",
       [](double i) {
         const int k = static_cast<int>(i);
         return k % 4 + 2 * k % 5 + (k == 0 ? 0 : 9 % k) + (4 - k) % 3 + 3.0;
       }},
      {"min(infinity, i) + eps(f16) * 1024 + size(real) + n + c + p",
       [=](double i) { return i + 1 + 8 + n + c + p; }},
      {"s(i) + s(8 - i) / 2 + t(i, 1 % 2) + single()", [&](double i) {
         const auto k = static_cast<std::size_t>(i);
         return table[k] + table[8 - k] / 2 + (10 * i + 1) + 0.125;
       }}};
  std::string tensors = "  x: { role: input, dtype: f32, shape: [n], fill: zeros }\n", references;
  for (std::size_t k = 0; k < formulas.size(); ++k) {
    tensors += fmt::format(
        "  y{}: {{ role: output, dtype: real, shape: [n], tolerance: {{ ulp: 0, growth: \"{}\", scale: one "
        "}} }}\n",
        k, formulas[k].first);
    references += fmt::format("  y{}: {{ index: [i], value: \"0.0 * x(i)\" }}\n", k);
  }
  const std::string yaml = problem_of(R"y(parameters: { p: f32 }
constants: { c: 0.75 }
types: { real: [f64] }
structure:
  s: { dtype: i32, shape: [n], compute: "out(0) = 4; out(1) = 1; out(2) = 7; out(3) = 2; out(4) = 9; out(5) = 3; out(6) = 8; out(7) = 5; out(8) = 6;" }
  t: { dtype: f32, shape: [n, 2], compute: "for (a : n) for (b : 2) out(a, b) = 10 * a + b;" }
  single: { dtype: f64, shape: [], private: true, compute: "out() = 0.125;" }
tensors:
)y" + tensors + "reference:\n  one: { index: {}, value: \"1.0\" }\n" +
                                          references,
                                      "{ m: 1, n: 9, p: 3 }", "{ m: 1, n: 9, p: 3 }");
  const auto set = [&](Judged& judged, std::size_t spoiled, int element) {
    for (std::size_t k = 0; k < formulas.size(); ++k)
      for (int i = 0; i < 9; ++i)
        judged.data<double>(fmt::format("y{}", k))[i] =
            (k == spoiled && i == element ? 1 + 1e-9 : 1 - 1e-9) * f32_eps * formulas[k].second(i);
  };
  for (const bool emulated : {false, true}) {
    Judged judged(yaml, true, 0, 0, emulated);
    judged.evaluator.fill(forms_seed);
    set(judged, formulas.size(), 0);
    const Finding right = judged.evaluator.verify(forms_seed, forms_poison);
    EXPECT_TRUE(right.right) << right.text;
    for (std::size_t k = 0; k < formulas.size(); ++k)
      for (const int i : {1, 4, 8}) {
        set(judged, k, i);
        const Finding wrong = judged.evaluator.verify(forms_seed, forms_poison);
        EXPECT_FALSE(wrong.right) << formulas[k].first << " at " << i;
        EXPECT_THAT(wrong.text, HasSubstr(fmt::format("y{}[{}] is ", k, i)));
      }
  }
}

std::string grows(const std::string& growth) {
  return problem_of(R"y(structure: { s: { dtype: i32, shape: [n], used: 3, compute: "out(0) = 2;" } }
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, growth: ")y" +
                        growth + R"y(" } }
reference: { y: { index: [i], value: "x(i)" } }
)y",
                    "{ m: 1, n: 4 }", "{ m: 1, n: 4 }");
}

TEST(Growth, WhatHasNoValueIsAMistakeWithItsPlace) {
  EXPECT_EQ(fault_of(grows("1 + i")), "no error");
  EXPECT_EQ(fault_of(grows("i < 3 ? s(i) : 1")), "no error");  // a branch that is not taken
  EXPECT_EQ(
      fault_of(grows("1 + s(i)")),
      "kernels/trial/problem.yaml:7: found the growth of y to read s(3) in workload m=1,n=4, expected whole "
      "indices within its part in use [3]");
  EXPECT_THAT(fault_of(grows("i == 1 ? s(i / 2) : 1")), HasSubstr("read s(0.5) in workload"));
  EXPECT_THAT(fault_of(grows("i == 2 ? s(1 - i) : 1")), HasSubstr("read s(-1) in workload"));
  EXPECT_THAT(fault_of(grows("i == 2 ? 5 % (i - 2) : 1")),
              HasSubstr("trial/problem.yaml:7: found the growth of y to compute 5 % 0 in workload m=1,n=4, "
                        "expected whole numbers and a divisor other than 0"));
  EXPECT_THAT(fault_of(grows("i == 1 ? i / 2 % 2 : 1")), HasSubstr("compute 0.5 % 2 in workload"));
  EXPECT_THAT(
      fault_of(grows("2 - i")),
      HasSubstr("found the limit of y[3] in workload m=1,n=4 to be infinite or not a number, or its growth "
                "negative, expected a finite one"));
  EXPECT_THAT(fault_of(grows("i == 2 ? 1 / (i - 2) : 1")), HasSubstr("found the limit of y[2]"));
  EXPECT_THAT(fault_of(grows("sqrt(i - 1)")), HasSubstr("found the limit of y[0]"));
}

TEST(Growth, SlipsAreFoundWhenTheFileIsRead) {
  const auto mistake = [](const std::string& growth) -> std::string {
    try {
      problem::parse("trial", grows(growth), "p.yaml");
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(mistake("sqrt(i + n)"), "accepted");
  EXPECT_EQ(mistake("max(s)"), "accepted");
  EXPECT_EQ(mistake("i + max(s)"),
            "p.yaml:7: tensors.y.tolerance.growth: found max(s) beside the index i, expected elements of "
            "structure; "
            "keep that number in private structure of shape []");
  EXPECT_EQ(mistake("i + k"),
            "p.yaml:7: tensors.y.tolerance.growth: in \"i + k\" found \"k\", expected one of i, m, n");
  EXPECT_THAT(mistake("i + x(i)"), HasSubstr("found x, a tensor, expected a formula over axes, "));
  EXPECT_THAT(mistake("i + s(i, 1)"), HasSubstr("expected 1 index of s"));
  EXPECT_THAT(mistake("i +"), HasSubstr("expected operators between numbers"));
  // On the second board.
  std::string boards = grows("i + eps(a)");
  boards.replace(boards.find("structure"), 9, "types: { a: [f32, i32] }\nstructure");
  boards.replace(boards.find("dtype: f32"), 10, "dtype: a");
  try {
    problem::parse("trial", boards, "p.yaml");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("p.yaml:8: tensors.y.tolerance.growth: in the test workload m=1,n=4 (line "));
    EXPECT_THAT(error.what(),
                HasSubstr("board i32) found \"i + eps(a)\", expected eps of a floating dtype; a is exact"));
  }
}

}  // namespace
}  // namespace podium::judge
