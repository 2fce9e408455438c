// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a tolerance may be relative to the reference's magnitude: wherever that is counted.
#include <gtest/gtest.h>

#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

std::string scaled(const std::string& references,
                   const std::string& tolerance = "{ ulp: 1, scale: magnitude }") {
  return mistakes_of(
      "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
      "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
      "  y: { role: output, dtype: f32, shape: [n], tolerance: " +
      tolerance + " }\n  k: { role: output, dtype: i32, shape: [n] }\nreference:\n" + references +
      "workloads: { test: [{ n: 2 }] }\n");
}
const std::string refused =
    "p.yaml:6: tensors.y.tolerance.scale: found magnitude, which the sequential algorithm (host) of ";
const std::string instead =
    " does not track, expected value, or the name of a reference to which errors are relative";
const std::string k = "  k: { index: [i], value: \"i\" }\n";

TEST(Magnitude, OfSequentialAlgorithmsIsRefused) {
  const std::string s =
      "  s: { index: { i: n }, host: \"for (i64 j = 0; j < n; ++j) out(j) = 2 * x(j);\" }\n";
  EXPECT_EQ(scaled(k + "  y: { index: [i], host: \"for (i64 j = 0; j < n; ++j) out(j) = 2 * x(j);\" }\n"),
            refused + "y" + instead);
  EXPECT_EQ(scaled(k + s + "  y: { index: [i], code: \"return s(i);\" }\n"), refused + "s" + instead);
  EXPECT_EQ(scaled(k + s +
                   "  t: { index: {}, reduce: { over: { j: n }, op: sum, term: \"s(j)\" } }\n"
                   "  y: { index: [i], value: \"x(i) / t()\" }\n"),
            refused + "s" + instead);
  EXPECT_EQ(scaled(k + s + "  y: { index: [i], value: \"s(i)\" }\n", "{ ulp: 1, scale: value }"), "accepted");
  EXPECT_EQ(scaled(k + s + "  y: { index: [i], value: \"s(i)\" }\n", "{ ulp: 1, scale: s }"), "accepted");
}

TEST(Magnitude, PassesIntegersAndIndices) {
  EXPECT_EQ(scaled("  k: { index: [i], host: \"for (i64 j = 0; j < n; ++j) out(j) = j;\" }\n"
                   "  y: { index: [i], value: \"k(i) * x(i)\" }\n"),
            "accepted");
  EXPECT_EQ(
      scaled(k +
             "  s: { index: { i: n }, host: { integral: true, body: \"for (i64 j = 0; j < n; ++j) out(j) = "
             "j;\" } }\n  y: { index: [i], value: \"x(s(i))\" }\n"),
      "accepted");
}

}  // namespace
}  // namespace podium::problem
