// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's own compare.py on what `podium run` and `podium bench` write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <regex>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

constexpr int repetitions = 9;  // from nine on compare.py's U test has nothing to complain of

Ended compare_py(const std::string& arguments) {
  const std::string command = source_dir() + "/tests/end_to_end/compare_py " + arguments + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  Ended ended;
  std::array<char, 4096> part{};
  for (std::size_t got; pipe && (got = fread(part.data(), 1, part.size(), pipe)) > 0;)
    ended.out.append(part.data(), got);
  const int status = pipe ? pclose(pipe) : -1;
  ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ended;
}

fs::path run_once(const Scratch& scratch, const std::string& name) {
  const auto file = scratch.path() / name;
  const auto ended =
      podium({"run", "vector_add", "--device", "host", "--quick", "--benchmark_filter=f32/n=512/serial$",
              "--benchmark_repetitions=" + std::to_string(repetitions), "--benchmark_out=" + file.string(),
              "--results", scratch.results().string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  return file;
}

TEST(ComparePy, ReadsTwoRunsAndTestsTheirRepetitions) {
  const Scratch scratch;
  if (const auto probe = compare_py("--help"); probe.status == 77) GTEST_SKIP() << probe.out;
  const std::string before = run_once(scratch, "before.json"), after = run_once(scratch, "after.json");
  const auto ended = compare_py("--no-color benchmarks " + before + " " + after);
  EXPECT_EQ(ended.status, 0) << ended.out;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 2u);
  for (const auto& entry : runs[0].entries) {
    if (entry.round < 0) continue;
    const std::string name = "vector_add/" + entry.types + "/" + entry.workload + "/" + entry.contestant;
    // Each repetition is one of our medians, to the digits that it prints.
    const std::regex line(name + " .*[0-9]\n");
    EXPECT_TRUE(std::regex_search(ended.out, line)) << name << "\n" << ended.out;
    EXPECT_THAT(ended.out, HasSubstr(name + "_median"));
    EXPECT_THAT(ended.out, HasSubstr(name + "_pvalue"));
  }
  EXPECT_THAT(ended.out, HasSubstr("U Test, Repetitions: 9 vs 9\n")) << "complains of too few repetitions";
}

fs::path bench_once(const Scratch& scratch, const std::string& name) {
  const auto file = scratch.path() / name;
  const auto ended =
      podium({"bench", "vector_add", "--device", "host", "--quick", "--quiet",
              "--benchmark_filter=f32/n=512/serial$", "--benchmark_min_time=5x",
              "--benchmark_repetitions=" + std::to_string(repetitions), "--benchmark_out=" + file.string()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  return file;
}

TEST(ComparePy, ReadsWhatBenchWrote) {
  const Scratch scratch;
  if (const auto probe = compare_py("--help"); probe.status == 77) GTEST_SKIP() << probe.out;
  const std::string before = bench_once(scratch, "before.json"), after = bench_once(scratch, "after.json");
  const auto ended = compare_py("--no-color benchmarks " + before + " " + after);
  EXPECT_EQ(ended.status, 0) << ended.out;
  const std::string name = "vector_add/f32/n=512/serial";
  EXPECT_THAT(ended.out, HasSubstr(name + "_median"));
  EXPECT_THAT(ended.out, HasSubstr(name + "_pvalue"));
  EXPECT_THAT(ended.out, HasSubstr("U Test, Repetitions: 9 vs 9\n"));
}

// It says so itself when a file is not what it expects: this test would notice.
TEST(ComparePy, RefusesWhatIsNoRun) {
  const Scratch scratch;
  if (const auto probe = compare_py("--help"); probe.status == 77) GTEST_SKIP() << probe.out;
  const std::string broken = scratch.write("broken.json", "{\"benchmarks\": 1");
  EXPECT_NE(compare_py("benchmarks " + broken + " " + broken).status, 0);
}

}  // namespace
}  // namespace podium::test
