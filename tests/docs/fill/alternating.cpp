// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The fill that CONTRIBUTING.md adds: it stands in the schema, is parsed, refused, drawn and rounded as the
// others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "suite/problem/parse/schema.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string filled_by(const std::string& dtype, const std::string& fill) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n  x: { role: input, dtype: " + dtype +
         ", shape: [n], fill: " + fill +
         " }\n  y: { role: output, dtype: i32, shape: [] }\nreference: { y: { index: [], value: \"1\" } }\n"
         "workloads: { test: [{ n: 5 }] }\n";
}

template <class T>
std::vector<T> elements(const std::string& dtype, const std::string& fill) {
  Judged judged(filled_by(dtype, fill));
  judged.evaluator.fill(7);
  const T* data = judged.data<T>("x");
  return {data, data + 5};
}

std::string refusal(const std::string& dtype, const std::string& fill) {
  try {
    problem::parse("trial", filled_by(dtype, fill), "problem.yaml");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AddedFill, WritesItsNumbersInTurn) {
  EXPECT_THAT(elements<float>("f32", "{ alternating: { even: 2.5, odd: -n } }"),
              ElementsAre(2.5F, -5, 2.5F, -5, 2.5F));
  EXPECT_THAT(elements<std::int8_t>("i8", "alternating"), ElementsAre(1, -1, 1, -1, 1));
}

TEST(AddedFill, IsRefusedWhereTheDtypeDoesNotHoldIt) {
  EXPECT_THAT(refusal("u8", "alternating"), HasSubstr("found numbers from -1 to 1, expected what u8 holds"));
  EXPECT_THAT(refusal("i32", "{ alternating: { evne: 1 } }"), HasSubstr("evne"));
}

TEST(AddedFill, StandsInTheSchema) { EXPECT_THAT(problem::schema(), HasSubstr("Two numbers in turn")); }

}  // namespace
}  // namespace podium::judge
