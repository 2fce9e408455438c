// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A new problem is a YAML file: dropped into a folder with two contestants, ranked, with Podium untouched.
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

constexpr char problem[] = R"YAML(podium: 1
title: Scaled difference
description: z[i] = 3 (x[i] - y[i])
axes: [n]
types: { real: [f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: { normal: { mean: 0, stddev: 1 } } }
  y: { role: input, dtype: real, shape: [n], fill: { uniform: { low: -1, high: 1 } } }
  z: { role: output, dtype: real, shape: [n], tolerance: { ulp: 4 } }
reference:
  z: { index: [i], value: "3 * (x(i) - y(i))" }
workloads:
  test: [ { n: 1 }, { n: 1000 } ]
  quick: [ { n: 100000 } ]
baseline: { host: good }
)YAML";

std::string contestant(const std::string& title, const std::string& factor) {
  return "// podium:\n//   title: " + title + R"CODE(
#include <podium/difference.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& a, podium::Stream) {
    for (std::int64_t i = 0; i < a.n; ++i) a.z(i) = )CODE" +
         factor + R"CODE( * (a.x(i) - a.y(i));
  }
};
}  // namespace
)CODE";
}

TEST(YamlOnly, ANewProblemIsRankedWithPodiumUntouched) {
  const Scratch scratch;
  scratch.write("problems/difference/problem.yaml", problem);
  scratch.write("problems/difference/good.cpp", contestant("A loop", "3"));
  scratch.write("problems/difference/bad.cpp", contestant("Wrong by a factor", "2"));
  const auto ended =
      podium({"run", "--device", "host", "--quick", "--rounds", "2", "--problems",
              (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 1) << ended.err;  // a contestant was wrong
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const auto* wrong = find(runs[0], "bad", "wrong");
  ASSERT_TRUE(wrong) << ended.out << ended.err;
  EXPECT_NE(wrong->text.find("z"), std::string::npos) << wrong->text;
  int timed = 0;
  for (const auto& entry : runs[0].entries) {
    if (entry.contestant == "bad") {
      EXPECT_EQ(entry.round, -1) << "a wrong contestant was timed";
    }
    if (entry.contestant != "good" || entry.round < 0) continue;
    ++timed;
    EXPECT_EQ(entry.verdict.word(), "right") << entry.text;
    EXPECT_GT(entry.median.value, 0);
    EXPECT_DOUBLE_EQ(entry.bytes, 12 * 100000);
  }
  EXPECT_EQ(timed, 4);  // two rounds of the baseline and its twin
  EXPECT_NE(ended.out.find("good"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("wrong"), std::string::npos) << ended.out;
}

TEST(YamlOnly, AContestantThatDoesNotCompileIsARow) {
  const Scratch scratch;
  scratch.write("problems/difference/problem.yaml", problem);
  scratch.write("problems/difference/good.cpp", contestant("A loop", "3"));
  scratch.write("problems/difference/broken.cpp", contestant("No such thing", "no_such_name"));
  const auto ended =
      podium({"run", "--device", "host", "--rounds", "1", "--problems",
              (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 1) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const auto* broken = find(runs[0], "broken", "did not compile");
  ASSERT_TRUE(broken) << ended.out;
  EXPECT_NE(broken->text.find("no_such_name"), std::string::npos) << broken->text;
  EXPECT_TRUE(find(runs[0], "good", "right"));
}

TEST(YamlOnly, CheckSaysThatAFileIsWell) {
  const Scratch scratch;
  const auto file = scratch.write("problems/difference/problem.yaml", problem);
  const auto ended = podium({"check", file.string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find(": valid;"), std::string::npos) << ended.out;
}

// It would not be compiled, whatever stands in it.
TEST(YamlOnly, CheckFindsAReferenceThatNothingUses) {
  const Scratch scratch;
  std::string text = problem;
  text.insert(text.find("reference:\n") + std::string("reference:\n").size(),
              "  left_over: { index: { i: 3 }, value: \"2.5 + i\" }\n");
  const auto file = scratch.write("problems/difference/problem.yaml", text);
  const auto ended = podium({"check", file.string()});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_NE(ended.err.find("reference.left_over: found a reference that nothing uses"), std::string::npos)
      << ended.err;
}

}  // namespace
}  // namespace podium::test
