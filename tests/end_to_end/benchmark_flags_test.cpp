// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's flags on the command line.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

TEST(BenchmarkFlags, ListNamesWithoutRunningAnything) {
  const auto ended = podium({"run", "sum", "--device", "host", "--benchmark_list_tests"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("sum/f32/"), std::string::npos) << ended.out;
  EXPECT_NE(ended.out.find("/threads\n"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("sort/"), std::string::npos) << ended.out;
}

TEST(BenchmarkFlags, AFilterThatMatchesNothingIsWrongUsage) {
  const auto ended = podium({"run", "sum", "--device", "host", "--benchmark_filter=no_such"});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("no_such"), std::string::npos) << ended.err;
}

TEST(BenchmarkFlags, JsonHoldsOurMediansAsRepetitions) {
  const Scratch scratch;
  const auto file = scratch.path() / "out.json";
  const auto ended = podium({"run", "sum", "--device", "host", "--quick", "--benchmark_filter=/serial$",
                             "--benchmark_repetitions=3", "--benchmark_out=" + file.string(), "--results",
                             scratch.results().string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  std::ifstream in(file);
  const auto json = nlohmann::json::parse(in);
  int compared = 0;
  for (const auto& entry : runs[0].entries) {
    EXPECT_EQ(entry.contestant, "serial");  // the filter left nobody else
    if (entry.round < 0) continue;
    for (const auto& benchmark : json["benchmarks"]) {
      if (benchmark["run_type"] != "iteration" || benchmark["repetition_index"] != entry.round) continue;
      if (benchmark["name"].get<std::string>().find(entry.workload) == std::string::npos) continue;
      const double unit = benchmark["time_unit"] == "ns" ? 1e3 : benchmark["time_unit"] == "us" ? 1 : 1e-3;
      EXPECT_NEAR(benchmark["real_time"].get<double>() / unit, entry.median.value, 0.01 * entry.median.value);
      ++compared;
    }
  }
  EXPECT_GE(compared, 3);
}

TEST(BenchmarkFlags, ADryRunTakesOneSampleOfEach) {
  const Scratch scratch;
  const auto ended = podium({"run", "sum", "--device", "host", "--quick", "--benchmark_filter=/serial$",
                             "--benchmark_dry_run", "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  int timed = 0;
  for (const auto& entry : runs[0].entries) {
    if (entry.round < 0) continue;
    EXPECT_EQ(entry.round, 0);
    EXPECT_EQ(entry.microseconds.size(), 1u);
    ++timed;
  }
  EXPECT_GT(timed, 0);
}

TEST(BenchmarkFlags, AnotherCommandThanRunRefusesThem) {
  const auto ended = podium({"list", "--benchmark_filter=x"});
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("--benchmark_filter: expected only with"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace podium::test
