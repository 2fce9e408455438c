// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form of references that CONTRIBUTING.md adds: it stands in the schema, is parsed, refused and evaluated
// as the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/parse/schema.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using ::testing::HasSubstr;

std::string with_reference(const std::string& reference) {
  return "podium: 1\ntitle: t\naxes: [rows, cols]\ntensors:\n"
         "  x: { role: input, dtype: f32, shape: [rows, cols], fill: { index: [i, j], value: \"1.0 * i * (j "
         "+ 1)\" } }\n"
         "  y: { role: output, dtype: f32, shape: [rows], tolerance: { ulp: 1, growth: 0 } }\nreference:\n  "
         "y: { index: [i], last: " +
         reference + " }\nworkloads: { test: [{ rows: 3, cols: 5 }] }\n";
}

std::string refusal(const std::string& reference) {
  try {
    problem::parse("trial", with_reference(reference), "problem.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AddedForm, IsEvaluated) {
  Judged judged(with_reference("{ over: { j: cols }, where: \"x(i, j) <= 4\", term: \"x(i, j) + 10 * j\" }"));
  judged.evaluator.fill(7);
  judged.poison(0);
  float* const y = judged.data<float>("y");
  // Row 0 is all 0, row 1 is 1 to 5, row 2 is 2 to 10 by twos.
  y[0] = 40, y[1] = 34, y[2] = 14;
  const Finding found = judged.evaluator.verify(7, 0);
  EXPECT_TRUE(found.right) << found.text;
  y[1] = 45;
  EXPECT_THAT(judged.evaluator.verify(7, 0).text, HasSubstr("y[1] is 45, expected 34"));
}

TEST(AddedForm, IsRefusedWhereAKeyIsMissing) {
  EXPECT_THAT(refusal("{ over: { j: cols }, term: \"x(i, j)\" }"), HasSubstr("where"));
  EXPECT_THAT(refusal("\"x(i, 0)\""), HasSubstr("expected a map, as in { over: { j: cols }, where:"));
}

TEST(AddedForm, StandsInTheSchema) {
  EXPECT_THAT(problem::schema(), HasSubstr("The term at the last index for which a condition holds"));
}

}  // namespace
}  // namespace podium::judge
