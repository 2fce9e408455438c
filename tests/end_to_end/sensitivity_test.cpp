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
  EXPECT_THAT(ended.out, HasSubstr("board  test workload  output  error in all  in one   zeros\n"
                                   "fixed  five           y       3.2e-01       5.3e-01  wrong\n"));
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
