// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which outputs without a reference are held against anything that a contestant cannot choose.
#include <gtest/gtest.h>

#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

// Outputs y and z of n elements beside an input x, and `checks`, a flow map.
std::string checked(const std::string& checks) {
  return mistakes_of(
      "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
      "  x: { role: input, dtype: i32, shape: [n], fill: sequence }\n"
      "  y: { role: output, dtype: i32, shape: [n] }\n"
      "  z: { role: inout, dtype: i32, shape: [n], fill: sequence }\n"
      "checks: " +
      checks + "\nworkloads: { test: [{ n: 2 }] }\n");
}
const std::string z = ", of_z: { index: [i], value: \"z(i) - z.initial(i)\", limit: 0 } }";

std::string refused(int line, const std::string& tensor, const std::string& checks) {
  return "p.yaml:" + std::to_string(line) + ": tensors." + tensor + ": found an output whose checks (" +
         checks +
         ") look at no input, expected a reference, a permutation of an input, or a check by value or "
         "reduce; "
         "outputs unrelated to the inputs would pass";
}

TEST(Verified, BuiltInsThatLookAtNoInputVerifyNothing) {
  EXPECT_EQ(checked("{ c: { sorted: y }" + z), refused(6, "y", "c"));
  EXPECT_EQ(checked("{ c: { distinct: y }" + z), refused(6, "y", "c"));
  EXPECT_EQ(checked("{ c: { stable: [y, y] }" + z), refused(6, "y", "c"));
  EXPECT_EQ(checked("{ c: { sorted: y }, d: { distinct: y }" + z), refused(6, "y", "c, d"));
  EXPECT_EQ(checked("{ c: { sorted: y }, d: { permutation: [y, x] }" + z), "accepted");
  EXPECT_EQ(checked("{ c: { sorted: y }, d: { index: [i], value: \"y(i) - x(i)\", limit: 1 }" + z),
            "accepted");
  EXPECT_EQ(checked("{ c: { stable: [z, y] }" + z), refused(6, "y", "c"));
  EXPECT_EQ(checked("{ c: { sorted: z }, d: { permutation: [y, x] } }"), refused(7, "z", "c"));
}

TEST(Verified, AnOutputThatNobodyLooksAt) {
  EXPECT_EQ(checked("{ c: { sorted: z }" + z),
            "p.yaml:6: tensors.y: found an output without reference or check, expected one of them; an "
            "unverified output cannot be ranked");
}

}  // namespace
}  // namespace podium::problem
