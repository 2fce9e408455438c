// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `bytes: auto` where inputs are read at places that values name: refused if nothing else reads them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;

// `more`: further references; `x`: further keys of the input x.
std::string gathering(const std::string& reference, const std::string& cost, const std::string& x = "") {
  return "podium: 1\ntitle: t\naxes: [n]\nstructure:\n"
         "  first: { dtype: i32, shape: [n + 1], compute: \"for (b : n) out(b + 1) = 2 * b + 2;\" }\n"
         "tensors:\n"
         "  x: { role: input, dtype: f32, shape: [2 * n], fill: normal" +
         x +
         " }\n  g: { role: input, dtype: i32, shape: [n], fill: zeros }\n"
         "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\nreference:\n" +
         reference + cost + "workloads: { test: [{ n: 8 }] }\n";
}
constexpr char automatic[] = "cost: { bytes: auto }\n";
constexpr char gathers[] = "  y: { index: [i], value: \"x(g(i))\" }\n";

TEST(Gathered, AutoIsRefused) {
  const std::string sentence =
      "p.yaml:13: cost.bytes: found auto, expected a formula: y reads x only where other values point to, so "
      "the traffic cannot be derived";
  EXPECT_EQ(mistakes_of(gathering(gathers, automatic)), "p.yaml:12" + sentence.substr(9));
  for (const std::string term :
       {"x(2 * g(i) + 1)", "x(first(i))", "x(min(n - 1, int(half(i))))", "x(g(i)) + x(g(i) + n)"})
    EXPECT_EQ(mistakes_of(
                  gathering("  half: { index: { i: n }, value: \"g(i) / 2\" }\n  y: { index: [i], value: \"" +
                                term + "\" }\n",
                            automatic)),
              sentence)
        << term;
  EXPECT_THAT(mistakes_of(gathering("  row: { index: { i: n }, value: \"x(g(i))\" }\n"
                                    "  y: { index: [i], value: \"row(i)\" }\n",
                                    automatic)),
              HasSubstr("row reads x only where"));
  EXPECT_THAT(
      mistakes_of(gathering("  y: { index: [v], scatter: { over: { i: n }, at: { v: \"i\" }, op: sum, "
                            "term: \"1\", where: \"x(g(i)) > 0\" } }\n",
                            automatic)),
      HasSubstr("y reads x only where"));
}

TEST(Gathered, WhatIsReadWholeIsNot) {
  for (const std::string term :
       {"x(i) * x(g(i))", "x(2 * i + 1)", "x(i / 4)", "x(abs(i - 1))", "x(first(i)) + x(i)"})
    EXPECT_EQ(mistakes_of(gathering("  y: { index: [i], value: \"" + term + "\" }\n", automatic)), "accepted")
        << term;
  EXPECT_EQ(mistakes_of(gathering(gathers, automatic, ", used: \"first(n)\"")), "accepted");
  EXPECT_EQ(mistakes_of(gathering("  rank: { index: { r: n }, order: { along: { j: n }, by: \"x(j)\" } }\n"
                                  "  y: { index: [i], value: \"x(rank(i))\" }\n",
                                  automatic)),
            "accepted");
}

TEST(Gathered, TrafficIsStatedOrUnknown) {
  const auto bytes = [](const std::string& reference, const std::string& cost) {
    const Problem problem = parse("thing", gathering(reference, cost), "p.yaml");
    return instantiate(problem, problem.choices[0], problem.workloads[0]).bytes;
  };
  EXPECT_EQ(bytes(gathers, "cost: { bytes: 12 * n }\n"), 96);
  EXPECT_EQ(bytes(gathers, "cost: { flops: n }\n"), 0);
  EXPECT_EQ(bytes(gathers, ""), 0);
  EXPECT_EQ(bytes("  y: { index: [i], value: \"x(i)\" }\n", ""), 16 * 4 + 8 * 4 + 8 * 4 + 9 * 4);
}

}  // namespace
}  // namespace podium::problem
