// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium check` says how small an error of each output is wrong, and refuses tolerances that admit too much.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

Ended checked(const std::string& tolerance, const std::string& dtype = "f32") {
  const Scratch scratch;
  return podium(
      {"check",
       scratch
           .write("problems/difference/problem.yaml",
                  "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
                  "  x: { role: input, dtype: f32, shape: [n], fill: { sequence: { first: 100 } } }\n"
                  "  y: { role: output, dtype: " +
                      dtype + ", shape: [n], tolerance: " + tolerance +
                      " }\nreference:\n  y: { index: [i], value: \"x(i) - x(0) + 1\" }\n"
                      "workloads: { test: [{ n: 0 }, { n: 5, name: five }] }\n")
           .string()});
}
void expect_refused(const Ended& ended, const std::string& sentence) {
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_THAT(ended.err, HasSubstr(sentence));
}

TEST(Sensitivity, IsPrinted) {
  const auto ended =
      checked("{ ulp: 1, growth: 8, accumulate: f16, scale: magnitude, loose: \"differences\" }");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, HasSubstr("board  workload  output  error in all  in one   zeros  shows in\n"
                                   "fixed  five      y       3.2e-01       5.3e-01  wrong  100 %\n"));
}
TEST(Sensitivity, ALimitThatZerosPassIsRefused) {
  expect_refused(
      checked("{ ulp: 1, growth: 100, accumulate: f16, scale: magnitude }"),
      "problem.yaml:6: tensors.y.tolerance: found that zeros are right in the test workload five of board "
      "fixed, expected an error of 1 % to be wrong");
}
TEST(Sensitivity, ALimitThatAFewPercentPassIsRefused) {
  expect_refused(checked("{ ulp: 1, growth: 3, accumulate: bf16 }"),
                 "found that an error of 2.3 % in all elements");
  EXPECT_EQ(checked("{ ulp: 1, growth: 1, accumulate: bf16 }").status, 0);
}
TEST(Sensitivity, UnitsOfACoarseFormatMayBeMore) {
  EXPECT_EQ(checked("{ ulp: 3, growth: 0 }", "bf16").status, 0);
  expect_refused(checked("{ ulp: 9, growth: 0 }", "bf16"), "expected an error of 3.1 % to be wrong");
  EXPECT_EQ(checked("{ ulp: 1, growth: 0 }", "e4m3").status, 0);
  expect_refused(checked("{ ulp: 9, growth: 0 }", "e5m2"), "found that zeros are right");
}
TEST(Sensitivity, AReasonAllowsIt) {
  EXPECT_EQ(checked("{ ulp: 1, growth: 3, accumulate: bf16, loose: \"rounded to bf16 twice\" }").status, 0);
  expect_refused(checked("{ ulp: 1, loose: [1] }"),
                 "tensors.y.tolerance.loose: found a list, expected a sentence");
}
Ended checked_problem(const std::string& body) {
  const Scratch scratch;
  return podium(
      {"check",
       scratch.write("problems/p/problem.yaml", "podium: 1\ntitle: t\naxes: [n]\n" + body).string()});
}
// An output y of x, whose limits are those of `tolerance`.
std::string sum_of(const std::string& tolerance, const std::string& large) {
  return "tensors:\n"
         "  x: { role: input, dtype: f32, shape: [8, n], fill: normal }\n"
         "  y: { role: output, dtype: f32, shape: [8], tolerance: " +
         tolerance +
         " }\nreference:\n  y: { index: [i], reduce: { over: { j: n }, op: sum, term: \"x(i, j)\" } }\n"
         "workloads:\n  test: [{ n: 100 }]\n" +
         large;
}

// Growing with n, a limit that is tight on tests of 100 admits 12 % where n is a million, and all of 10^8.
TEST(Sensitivity, ALimitThatExplodesOnQuickWorkloadsIsRefused) {
  const std::string growing = "{ ulp: 1, growth: n, scale: magnitude }";
  EXPECT_EQ(checked_problem(sum_of(growing, "")).status, 0);
  const Ended quick = checked_problem(sum_of(growing, "  quick: [{ n: 100000 }]\n"));
  expect_refused(quick, "tensors.y.tolerance: found that an error of about ");
  expect_refused(quick,
                 " in all elements is right in the quick workload n=100000 of board fixed, expected an error "
                 "of 1 % to be wrong");
}
TEST(Sensitivity, ALimitThatExplodesOnBenchWorkloadsIsRefusedUnmeasured) {
  const std::string growing = "{ ulp: 1, growth: n }", large = "  bench: [{ n: 10000000000 }]\n";
  expect_refused(checked_problem(sum_of(growing, large)),
                 "tensors.y.tolerance: found that zeros are right in the bench workload n=10000000000 of "
                 "board fixed, expected an error of 1 % to be wrong");
  expect_refused(
      checked_problem(sum_of(growing, "  bench: [{ n: 2000000 }]\n")),
      "found that an error of about 24 % in all elements is right in the bench workload n=2000000");
  const Ended fine =
      checked_problem(sum_of("{ ulp: 1, growth: \"sqrt(n)\" }", "  bench: [{ n: 2000000 }]\n"));
  EXPECT_EQ(fine.status, 0) << fine.err;
  EXPECT_THAT(fine.out, HasSubstr("fixed  n=2000000  y       ~1.7e-04      ~1.7e-04  wrong"));
  EXPECT_EQ(
      checked_problem(sum_of("{ ulp: 1, growth: n, loose: \"terms come in any order\" }", large)).status, 0);
}
TEST(Sensitivity, AGrowthByIndexThatExplodesIsRefused) {
  expect_refused(checked_problem(sum_of("{ ulp: 1, growth: \"n + i\" }", "  bench: [{ n: 2000000 }]\n")),
                 "in all elements is right in the bench workload n=2000000");
}

// y = x, and what is said of it.
std::string copy_of(const std::string& value, const std::string& test, const std::string& more = "") {
  return "tensors:\n  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
         "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\nreference:\n" +
         more + "  y: { index: [i], value: \"" + value + "\"" + test + " }\nworkloads:\n  test:\n" +
         "    - { n: 3 }\n    - { n: 4 }\n    - { n: 4, name: again }\n";
}
TEST(Sensitivity, AnExcuseOfEverythingIsRefused) {
  const std::string always = "  near: { index: { i: n }, value: \"x(i) == x(i)\" }\n";
  expect_refused(checked_problem(copy_of("x(i)", ", unless: near", always)),
                 "problem.yaml:6: tensors.y: found no element on any workload in which a wrong number shows: "
                 "of 11, 0 may hold anything, 11 are excused");
  const std::string most = "  near: { index: { i: n }, value: \"i > 0\" }\n";
  expect_refused(
      checked_problem(copy_of("x(i)", ", unless: near", most)),
      "problem.yaml:6: tensors.y: found 8 of 11 elements excused on all workloads together, expected "
      "at most 5 %; excuse near-ties only");
  const std::string last = "  near: { index: { i: n }, value: \"i == 3\" }\n";  // 2 of 11: as chance may
  EXPECT_EQ(checked_problem(copy_of("x(i)", ", unless: near", last)).status, 0);
}
TEST(Sensitivity, AnyValueEverywhereIsRefused) {
  expect_refused(
      checked_problem(copy_of("x(i)", ", any: \"i >= 0\"")),
      "found no element on any workload in which a wrong number shows: of 11, 11 may hold anything");
  const Ended half = checked_problem(copy_of("x(i)", ", any: \"i > 0\""));
  EXPECT_EQ(half.status, 0) << half.err;
  EXPECT_THAT(half.out, HasSubstr("wrong  33.3 %"));
}
TEST(Sensitivity, AReferenceThatTellsNothingIsRefused) {
  for (const char* value : {"0 * x(i)", "log(-abs(x(i)))", "ldexp(x(i), -140)", "x(i) / 0.0"})
    expect_refused(
        checked_problem(copy_of(value, "")),
        "found no element on any workload in which a wrong number shows: of 11, 0 may hold anything, "
        "0 are excused. The reference of the others is 0, infinite or no number. Add a test "
        "workload on which it is another number");
}
TEST(Sensitivity, ChecksThatZerosPassAreRefused) {
  const Scratch scratch;
  const auto ended =
      podium({"check", scratch
                           .write("problems/near/problem.yaml",
                                  "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
                                  "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
                                  "  y: { role: output, dtype: f32, shape: [n] }\n"
                                  "checks:\n  near: { index: [i], value: \"y(i) - x(i)\", limit: 100 }\n"
                                  "workloads: { test: [{ n: 0 }, { n: 5 }] }\n")
                           .string()});
  expect_refused(ended, "problem.yaml:6: tensors.y: found that zeros pass its checks in every test workload");
}

// Reals of a body carry their magnitude, and so are no float and no whole number.
TEST(Magnitude, OfABodyThatConvertsIsExplained) {
  const Scratch scratch;
  const auto ended = podium(
      {"check",
       scratch
           .write("problems/converts/problem.yaml",
                  "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
                  "  x: { role: input, dtype: f32, shape: [n], fill: ones }\n"
                  "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, scale: magnitude } }\n"
                  "reference:\n  y: { index: [i], code: \"double v = x(i); i64 k = v; return v + k;\" }\n"
                  "workloads: { test: [{ n: 5 }] }\n")
           .string()});
  expect_refused(
      ended,
      "problem.yaml:8: reference.y.code: found a real number for a variable of type i64, expected a "
      "conversion, as in i64(…)");
}

}  // namespace
}  // namespace podium::test
