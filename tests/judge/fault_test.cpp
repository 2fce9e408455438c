// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Mistakes in a problem's terms: named with file and line, by the compiler or while verifying.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string row_sums(const std::string& helper, const std::string& term,
                     const std::string& tolerance = "{ ulp: 1 }") {
  return R"y(podium: 1
title: t
axes: [rows, cols]
tensors:
  x: { role: input, dtype: f32, shape: [rows, cols], fill: normal }
  y: { role: output, dtype: f32, shape: [rows], tolerance: )y" +
         tolerance + R"y( }
reference:
  helper: { index: { r: rows }, value: ")y" +
         helper + R"y(" }
  y: { index: [i], reduce: { over: { j: cols }, op: sum, term: ")y" +
         term + R"y(" } }
sample: { i: 4 }
workloads: { test: [{ rows: 7, cols: 1023 }], quick: [{ rows: 3, cols: 3 }], bench: [{ rows: 3, cols: 3 }] }
)y";
}

std::string error_of(const std::string& yaml, bool full = true) {
  Judged j(yaml, full);
  j.evaluator.fill(3);
  try {
    j.evaluator.verify(3, 0xff);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "no error";
}

TEST(Fault, IndexOutOfRangeOfATensor) {
  EXPECT_THAT(error_of(row_sums("0", "x(i, j + 1)")),
              AllOf(HasSubstr("kernels/trial/problem.yaml:9: found reference y to read x["),
                    HasSubstr(", 1023]"), HasSubstr("within its shape [7, 1023]")));
  EXPECT_THAT(error_of(row_sums("0", "x(i - 7, j)"), false),
              HasSubstr("problem.yaml:9: found reference y to read x[-"));
  EXPECT_THAT(error_of(row_sums("x(r, cols)", "helper(i)")),
              AllOf(HasSubstr("problem.yaml:8: found reference helper to read x["), HasSubstr(", 1023]")));
  EXPECT_EQ(error_of(row_sums("x(r, 0)", "x(i, j) + helper(i)")), "no error");
}

TEST(Fault, IndexOutOfRangeOfAReference) {
  EXPECT_THAT(
      error_of(row_sums("x(r, 0)", "helper(i + 1)")),
      AllOf(HasSubstr("problem.yaml:9: found reference y to read helper[7]"), HasSubstr("{ r: [0, 7] }")));
  EXPECT_THAT(error_of(row_sums("x(r, 0)", "helper(j)")), HasSubstr("found reference y to read helper["));
}

// A sampled index handed on to a reference with a smaller range.
TEST(Fault, SampledIndexBeyondAReferencesRange) {
  const std::string yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference:
  helper: { index: { r: [0, n - 1] }, value: "x(r)" }
  y: { index: [i], value: "helper(i)" }
sample: { i: 4 }
workloads: { test: [{ n: 1000 }], quick: [{ n: 3 }], bench: [{ n: 3 }] }
)y";
  for (const bool full : {true, false})
    EXPECT_THAT(error_of(yaml, full), HasSubstr("found reference y to read helper[999]"));
}

TEST(Fault, ALimitThatAdmitsEverythingIsNone) {
  std::string yaml = row_sums("infinity", "x(i, j)", "{ ulp: 1, growth: 1, scale: helper }");
  yaml.replace(yaml.find("{ r: rows }"), 11, "{ i: rows }");
  EXPECT_THAT(error_of(yaml),
              AllOf(HasSubstr("kernels/trial/problem.yaml:6: found the limit of y["), HasSubstr("infinite")));
}

std::string compiler_says(const std::string& yaml) {
  const problem::Problem problem = problem::parse("trial", yaml, "kernels/trial/problem.yaml");
  try {
    compile_program(problem::judge_program(problem, problem.choices[0]));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "compiled";
}

TEST(Fault, TheCompilerNamesTheLineOfTheYaml) {
  EXPECT_THAT(compiler_says(row_sums("0", "x(i, j) % 2")),
              HasSubstr("kernels/trial/problem.yaml#reference.y.reduce.term:9:"));
  EXPECT_THAT(compiler_says(row_sums("x(r, 0) +", "x(i, j)+helper(i)")),
              HasSubstr("kernels/trial/problem.yaml#reference.helper.value:8:"));
  EXPECT_THAT(compiler_says(row_sums("0", "x(i, 0.5 * j)")),
              HasSubstr("kernels/trial/problem.yaml#reference.y.reduce.term:9:"));
  EXPECT_THAT(compiler_says(row_sums("0", "x(i, j) +")),
              HasSubstr("kernels/trial/problem.yaml#reference.y.reduce.term:9:"));
  EXPECT_EQ(compiler_says(row_sums("0", "x(i, j)")), "compiled");
}

}  // namespace
}  // namespace podium::judge
