// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the format says of `any`, and of round_to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/model/problem.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;

std::string with_any(const std::string& any, const std::string& checks = "") {
  return mistakes_of(
      "podium: 1\ntitle: t\naxes: [n]\n"
      "structure: { length: { dtype: i32, shape: [n], compute: \"for (i : n) out(i) = i;\" } }\n"
      "tensors:\n  x: { role: input, dtype: f32, shape: [n], fill: ones }\n"
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
      "reference: { y: { index: [i], value: \"x(i)\", any: \"" +
      any + "\" } }\n" + checks + "workloads: { test: [{ n: 4 }] }\n");
}

TEST(Any, IsAFormulaOverTheOutputsIndices) {
  EXPECT_EQ(with_any("i >= n - 1 || length(i) > 2"), "accepted");
  EXPECT_EQ(with_any("n > 9"), "accepted");
  EXPECT_THAT(with_any("k > 2"), HasSubstr("p.yaml:8: reference.y.any: "));
  EXPECT_EQ(with_any("x(i) > 0"),
            "p.yaml:8: reference.y.any: in \"x(i) > 0\" found x, a tensor, expected a formula over axes, "
            "parameters, constants and structure");
  EXPECT_THAT(
      with_any("i > max(length)"),
      HasSubstr("p.yaml:8: reference.y.any: found max(length) beside the index i, expected elements of "
                "structure"));
}

TEST(Any, StandsBesideAnOutputAndNoCheckOfAllElements) {
  EXPECT_EQ(with_any("i > 1", "checks: { sane: { finite: y } }\n"), "accepted");
  EXPECT_EQ(with_any("i > 1", "checks: { up: { sorted: y } }\n"),
            "p.yaml:9: checks.up: found a built-in check of y, some of whose elements may hold anything "
            "(reference.y.any), expected a check by value or reduce that leaves these out");
  EXPECT_THAT(
      mistakes_of(with("total: { index", "total: { any: \"1\", index")),
      HasSubstr("reference.total.any: found any beside the reference of no output, expected it beside "
                "an output's"));
}

TEST(RoundTo, TakesAFloatingDtypeOrAKeyOfTypes) {
  const auto term = [](const std::string& value) {
    return mistakes_of(with("\"exp(x(i, j) - peak(i)) / total(i)\"", "\"" + value + "\""));
  };
  EXPECT_EQ(term("round_to(bf16, x(i, j)) + round_to(real, total(i) + peak(i))"), "accepted");
  EXPECT_THAT(term("round_to(i32, x(i, j))"),
              HasSubstr("reference.y.value: unknown dtype of round_to: found \"i32\", expected one of real, "
                        "f64, f32, f16, bf16, e4m3, "));
  EXPECT_THAT(term("round_to(x(i, j))"), HasSubstr("found round_to with 1 argument, expected 2"));
}

}  // namespace
}  // namespace podium::problem
