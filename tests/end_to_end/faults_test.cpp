// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One bad part does not take the others along: a reference, a cache, a file that is no contestant.
#include <gtest/gtest.h>

#include <fstream>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

void write_problem(const Scratch& scratch, const std::string& name, const std::string& term) {
  scratch.write("problems/" + name + "/problem.yaml", R"YAML(podium: 1
title: Double
axes: [n]
types: { real: [f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: { normal: { mean: 0, stddev: 1 } } }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 2 } }
reference:
  y: { index: [i], value: ")YAML" + term + R"YAML(" }
workloads:
  test: [ { n: 1 }, { n: 300 } ]
  quick: [ { n: 100000 } ]
baseline: { host: serial }
)YAML");
  scratch.write("problems/" + name + "/serial.cpp",
                "// podium: { title: A loop }\n#include <podium/" + name + R"CODE(.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& a, podium::Stream) {
    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = 2 * a.x(i);
  }
};
}  // namespace
)CODE");
}

Ended run(const Scratch& scratch, std::vector<std::string> more) {
  std::vector<std::string> arguments{"run",        "--device",
                                     "host",       "--quick",
                                     "--rounds",   "2",
                                     "--problems", (scratch.path() / "problems").string(),
                                     "--results",  scratch.results().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return podium(arguments);
}

TEST(Faults, AReferenceThatCrashesCostsItsBoardAlone) {
  const Scratch scratch;
  write_problem(scratch, "bad_divisor", "2 * x(i) + 0.0 * (n / i)");
  write_problem(scratch, "good", "2 * x(i)");
  const auto ended = run(scratch, {});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("bad_divisor/problem.yaml:"), std::string::npos) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  int timed = 0;
  for (const auto& entry : runs[0].entries) {
    EXPECT_EQ(entry.problem, "good") << entry.contestant << ": " << entry.verdict.word();
    EXPECT_EQ(entry.verdict.word(), "right") << entry.text;
    timed += entry.round >= 0;
  }
  EXPECT_EQ(timed, 4);  // two rounds of the baseline and its twin
}

TEST(Faults, ADamagedProductIsMadeAgain) {
  const Scratch scratch;
  const std::string name = "damaged_" + std::to_string(getpid());  // other checkouts have the same cache
  write_problem(scratch, name, "2 * x(i)");
  const auto products = fs::path(cache_dir()) / name;
  ASSERT_EQ(run(scratch, {}).status, 0);
  int damaged = 0;
  for (const auto& entry : fs::directory_iterator(products))
    if (entry.path().extension() == ".plugin" || entry.path().extension() == ".program") {
      fs::permissions(entry.path(), fs::perms::owner_all);
      std::ofstream(entry.path(), std::ios::binary) << std::string(20000, 'x');
      ++damaged;
    }
  EXPECT_EQ(damaged, 2);
  const auto ended = run(scratch, {});
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  fs::remove_all(products);
}

TEST(Faults, AFileThatIsNoContestantIsSaid) {
  const Scratch scratch;
  write_problem(scratch, "good", "2 * x(i)");
  const auto file = scratch.write("mine.cpp", "// podum: { title: misspelt }\nint x;\n");
  const auto ended = run(scratch, {"--contestant", file.string()});
  EXPECT_EQ(ended.status, 2) << ended.out;
  EXPECT_NE(ended.err.find("mine.cpp: no contestant for the host backend"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace podium::test
