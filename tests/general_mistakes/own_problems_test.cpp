// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The test of general mistakes, tested: it finds problems that let a mistake pass, and copes with outputs
// that no problem in kernels/ has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"
#include "tests/general_mistakes/examine.hpp"

namespace podium::mistakes {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report report_on(const std::string& yaml, const std::string& body) {
  const test::Scratch scratch;
  scratch.write("trial/problem.yaml", yaml);
  scratch.write("trial/serial.cpp",
                "// podium: { title: A loop }\n#include <podium/trial.hpp>\n"
                "#include <algorithm>\n#include <cmath>\nnamespace {\nstruct Contestant {\n"
                "  void run(const problem::Arguments& a, podium::Stream) {\n" +
                    body + "  }\n};\n}  // namespace\n");
  return examine(scratch.path() / "trial", scratch.path());
}

std::string doubling(const std::string& tolerance, const std::string& tests) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [n], fill: { normal: { mean: 0, stddev: 1 } } }\n"
         "  y: { role: output, dtype: f32, shape: [n], tolerance: { " +
         tolerance +
         " } }\nreference:\n  y: { index: [i], value: \"2 * x(i)\" }\nworkloads:\n  test: " + tests + "\n";
}
constexpr char doubles[] = "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = 2 * a.x(i);\n";
constexpr char sizes[] = "[{ n: 100 }, { n: 1000 }]";

TEST(GeneralMistakesTest, FindsNothingInAProblemThatIsWell) {
  const Report report = report_on(doubling("ulp: 1, growth: 0", sizes), doubles);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_THAT(report.lines, Contains(HasSubstr("trial/fixed: y: stale: rejected on 2 of 2 workloads")));
  EXPECT_THAT(report.lines, Contains(HasSubstr("y: transposed: left out: it has one row or one column")));
}

TEST(GeneralMistakesTest, FindsATolleranceThatIsTooWide) {
  const Report report = report_on(doubling("ulp: 1, growth: 16384", sizes), doubles);
  // Of one workload if the largest is the first in the other: that is another mistake.
  EXPECT_THAT(report.faults,
              Contains(ContainsRegex("trial/fixed: y: largest element off: rejected on 0 of [12] .*"
                                     "accepted on n=100+ \\(largest error")));
  EXPECT_THAT(report.faults, Contains(HasSubstr("y: half the digits: rejected on 0 of 2 workloads")));
  EXPECT_THAT(report.faults, Each(Not(HasSubstr("y: zeros"))));
}

TEST(GeneralMistakesTest, FindsAnOutputThatIsHardlyChecked) {
  const std::string yaml =
      "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
      "  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: 0, high: 9 } } }\n"
      "  y: { role: output, dtype: i32, shape: [n] }\n"
      "checks:\n  ascending: { sorted: y }\n  small: { index: [i], value: \"y(i)\", limit: 99 "
      "}\nworkloads:\n  test: [{ n: 100 }]\n";
  const Report report =
      report_on(yaml, "    std::copy_n(a.x.data, a.n, a.y.data); std::sort(a.y.data, a.y.data + a.n);\n");
  for (const std::string mistake : {"zeros", "stale", "largest element off"})
    EXPECT_THAT(report.faults, Contains(HasSubstr("y: " + mistake + ": rejected on 0 of 1"))) << mistake;
  EXPECT_THAT(report.faults, Each(Not(HasSubstr("y: swapped"))));
}

TEST(GeneralMistakesTest, FindsASerialThatIsWrong) {
  const Report report = report_on(doubling("ulp: 1, growth: 0", sizes),
                                  "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = 3 * a.x(i);\n");
  EXPECT_THAT(report.faults, Contains(HasSubstr("serial itself on n=100: wrong: y[")));
}

TEST(GeneralMistakesTest, FindsATolleranceThatCannotBeHalved) {
  const Report report = report_on(
      doubling("ulp: 1, growth: 0", sizes),
      "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = std::nextafter(2 * a.x(i), INFINITY);\n");
  EXPECT_THAT(report.faults,
              Contains(AllOf(HasSubstr("trial/fixed: y: serial itself on n=100: largest error "),
                             HasSubstr("expected 0.5 of the limit or less"))));
}

TEST(GeneralMistakesTest, FindsWorkloadsThatAreTooSmall) {
  const Report report = report_on(doubling("ulp: 1, growth: 0", "[{ n: 0 }]"), doubles);
  EXPECT_THAT(report.faults,
              Contains(HasSubstr("y: stale: left out on every test workload (it has no elements)")));
  EXPECT_THAT(report.faults, Contains(HasSubstr("found 0 mistakes that change it, expected 4 or more")));
}

// Parts in use, strides, pairs, padding, in place, no elements; whole numbers of all widths.
TEST(GeneralMistakesTest, CopesWithEveryKindOfOutput) {
  const Report report = report_on(R"YAML(podium: 1
title: t
axes: [rows, cols]
structure:
  rows_used: { dtype: i32, shape: [], compute: "out() = rows - random.below(min(rows, 2) + 1);" }
tensors:
  x: { role: input, dtype: f32, shape: [rows, cols], fill: { normal: { mean: 0, stddev: 2 } } }
  k: { role: input, dtype: u64, shape: [cols], fill: { integers: { low: 0, high: 100000 } } }
  part: { role: output, dtype: f64, shape: [rows, cols], used: "rows_used()", tolerance: { ulp: 1, growth: 0 } }
  columns: { role: output, dtype: bf16, shape: [rows, cols], strides: [1, rows + 3], tolerance: { ulp: 1, growth: 0 } }
  eight: { role: output, dtype: e4m3, shape: [rows, cols], tolerance: { ulp: 1, growth: 0 } }
  four: { role: output, dtype: e2m1, shape: [rows, cols], tolerance: { ulp: 1, growth: 0 } }
  padded: { role: output, dtype: e8m0, shape: [rows, cols], layout: scales_128x4, tolerance: { ulp: 0.75, growth: 0 } }
  total: { role: inout, dtype: f32, shape: [rows], fill: normal, tolerance: { ulp: 1, growth: 0 } }
  flags: { role: output, dtype: bool, shape: [rows, cols] }
  keys: { role: output, dtype: u64, shape: [cols] }
  count: { role: output, dtype: i8, shape: [rows] }
reference:
  part: { index: [i, j], value: "x(i, j) / 3" }
  columns: { index: [i, j], value: "x(i, j)" }
  eight: { index: [i, j], value: "x(i, j)" }
  four: { index: [i, j], value: "x(i, j)" }
  padded: { index: [i, j], value: "ldexp(1, int(floor(x(i, j))))" }
  total: { index: [i], value: "total.initial(i) + k(0)" }
  flags: { index: [i, j], value: "x(i, j) > 0" }
  keys: { index: [j], value: "k(j) * 3 + 1" }
  count: { index: [i], reduce: { over: { j: cols }, op: count, term: "x(i, j) > 0" } }
workloads:
  test: [{ rows: 40, cols: 36 }, { rows: 133, cols: 38 }, { rows: 0, cols: 2 }]
)YAML",
                                  R"CODE(
    const std::int64_t used = *a.rows_used.host.data;
    for (std::int64_t j = 0; j < a.cols; ++j) a.keys(j) = a.k(j) * 3 + 1;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      a.count(i) = 0;
      a.total(i) = float(double(a.total(i)) + double(a.k(0)));
      for (std::int64_t j = 0; j < a.cols; ++j) {
        const float x = a.x(i, j);
        if (i < used) a.part(i, j) = x / 3.0;
        a.columns(i, j) = podium::cast<podium::bf16>(x);
        a.eight(i, j) = podium::cast<podium::e4m3>(x);
        auto& pair = a.four(i, j / 2);
        const auto half = podium::cast<podium::e2m1>(x);
        pair = j % 2 == 0 ? podium::e2m1x2::of(half, pair.high()) : podium::e2m1x2::of(pair.low(), half);
        podium::scale_at(a.padded, i, j) = podium::cast<podium::e8m0>(std::ldexp(1.0f, int(std::floor(x))));
        a.flags(i, j) = x > 0;
        a.count(i) = std::int8_t(a.count(i) + (x > 0));
      }
    }
)CODE");
  EXPECT_THAT(report.faults, IsEmpty());
  for (const std::string output : {"part", "columns", "eight", "four", "flags"})
    for (const std::string mistake :
         {"transposed", "last tile left out", "first row only", "last element off"})
      EXPECT_THAT(report.lines, Contains(HasSubstr(output + ": " + mistake + ": rejected on 2 of 2")))
          << output;
  EXPECT_THAT(report.lines, Contains(HasSubstr("total: nothing: rejected on 2 of 2")));
  EXPECT_THAT(report.lines, Contains(AllOf(HasSubstr("padded: last element off: left out"),
                                           HasSubstr("its layout has padding, which is never verified"))));
  EXPECT_THAT(report.lines,
              Contains(AllOf(HasSubstr("count: one NaN: left out"), HasSubstr("its dtype has no NaN"))));
}

}  // namespace
}  // namespace podium::mistakes
