// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium bench`: Google Benchmark's flags mean what its documentation says, and its output holds what Podium
// judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

constexpr const char* serial = "vector_add/f32/n=512/serial";

struct Benched {
  Ended ended;
  json output;
  std::vector<json> runs(const std::string& type = "iteration") const {
    std::vector<json> all;
    for (const json& each : output.at("benchmarks"))
      if (each.value("run_type", "") == type) all.push_back(each);
    return all;
  }
};

Benched bench(std::vector<std::string> arguments) {
  const std::vector<std::string> common{
      "bench", "vector_add", "--device", "host", "--quick", "--quiet", "--benchmark_format=json"};
  arguments.insert(arguments.begin(), common.begin(), common.end());
  Benched benched{.ended = podium(arguments), .output = {}};
  benched.output = json::parse(benched.ended.out, nullptr, false);
  EXPECT_FALSE(benched.output.is_discarded()) << benched.ended.out << benched.ended.err;
  return benched;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Bench, ListsTheNamesOfRun) {
  const auto listed = podium({"bench", "vector_add", "sum", "--device", "host", "--benchmark_list_tests"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(lines_of(listed.out),
              testing::IsSupersetOf({std::string(serial), std::string("vector_add/f16/n=1024/threads")}));
  EXPECT_EQ(listed.out,
            podium({"run", "vector_add", "sum", "--device", "host", "--benchmark_list_tests"}).out);
}

TEST(Bench, RepetitionsHaveCountersAndAggregates) {
  const auto [ended, output] =
      bench({"--benchmark_filter=f32/n=512/serial$", "--benchmark_repetitions=3", "--benchmark_min_time=6x"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const Benched benched{ended, output};
  const auto runs = benched.runs();
  ASSERT_EQ(runs.size(), 3u);
  for (int index = 0; index < 3; ++index) {
    const json& run = runs[static_cast<std::size_t>(index)];
    EXPECT_EQ(run.at("name"), serial);
    EXPECT_EQ(run.at("repetition_index"), index);
    EXPECT_EQ(run.at("iterations"), 6);
    EXPECT_EQ(run.at("time_unit"), "us");
    const double seconds = 1e-6 * run.at("real_time").get<double>();
    EXPECT_GT(seconds, 0);
    // Manual time: rates are of the calls' own times. Two matrices are read, one is written.
    EXPECT_NEAR(run.at("bytes_per_second").get<double>() * seconds, 3 * 4 * 512 * 512, 1);
    EXPECT_NEAR(run.at("flops").get<double>() * seconds, 512 * 512, 1);
    EXPECT_GT(run.at("sol"), 0);
    EXPECT_GE(run.at("error_over_tolerance"), 0);
    EXPECT_LE(run.at("error_over_tolerance"), 1);
    EXPECT_THAT(run.at("label").get<std::string>(), StartsWith("native: One thread, a loop"));
  }
  std::vector<std::string> aggregates;
  for (const json& each : benched.runs("aggregate")) aggregates.push_back(each.at("name"));
  const std::string name = serial;
  EXPECT_THAT(aggregates, ElementsAre(name + "_mean", name + "_median", name + "_stddev", name + "_cv"));
}

TEST(Bench, ContextSaysWhereAndHow) {
  const auto benched = bench(
      {"--benchmark_filter=f32/n=512/serial$", "--benchmark_dry_run", "--benchmark_context=branch=mine"});
  EXPECT_EQ(benched.ended.status, 0) << benched.ended.err;
  const json& context = benched.output.at("context");
  EXPECT_THAT(context.at("device").get<std::string>(), HasSubstr("(host)"));
  EXPECT_THAT(context.at("podium").get<std::string>(), HasSubstr("("));
  EXPECT_THAT(context.at("method").get<std::string>(), HasSubstr("verified"));
  EXPECT_EQ(context.at("branch"), "mine");
  EXPECT_TRUE(context.contains("driver"));
  ASSERT_EQ(benched.runs().size(), 1u);
  EXPECT_EQ(benched.runs()[0].at("iterations"), 1) << "a dry run";
}

TEST(Bench, IterationsRiseUntilTheMinimumTime) {
  constexpr double least = 0.002;  // seconds; 2 to 40 calls
  const auto benched =
      bench({"--benchmark_filter=f32/n=512/(serial|threads)$", "--benchmark_min_time=0.002s"});
  EXPECT_EQ(benched.ended.status, 0) << benched.ended.err;
  ASSERT_EQ(benched.runs().size(), 2u);
  for (const json& run : benched.runs())
    EXPECT_GE(run.at("iterations").get<double>() * run.at("real_time").get<double>(), 1e6 * least * 0.999)
        << run;
}

// More samples than an entry, or a request to the judge, holds.
TEST(Bench, ManyIterationsAreExactlySoMany) {
  const auto benched = bench({"--benchmark_filter=f16/n=512/serial$", "--benchmark_min_time=101x"});
  EXPECT_EQ(benched.ended.status, 0) << benched.ended.err;
  ASSERT_EQ(benched.runs().size(), 1u);
  EXPECT_EQ(benched.runs()[0].at("iterations"), 101);
  EXPECT_GT(benched.runs()[0].at("real_time"), 0);
}

TEST(Bench, AggregatesAlone) {
  const auto benched = bench({"--benchmark_filter=f32/n=512/serial$", "--benchmark_repetitions=2",
                              "--benchmark_min_time=5x", "--benchmark_report_aggregates_only"});
  EXPECT_THAT(benched.runs(), IsEmpty());
  EXPECT_EQ(benched.runs("aggregate").size(), 4u);
}

// Boards take turns, too: each time their problem is loaded anew.
TEST(Bench, InterleavesRepetitionsAtRandom) {
  const auto benched = bench({"--benchmark_filter=/n=512/(serial|threads)$", "--benchmark_repetitions=3",
                              "--benchmark_min_time=5x", "--benchmark_enable_random_interleaving", "--v=2"});
  EXPECT_EQ(benched.ended.status, 0) << benched.ended.err;
  std::map<std::string, int> repetitions;
  for (const json& run : benched.runs()) {
    EXPECT_FALSE(run.value("error_occurred", false)) << run;
    ++repetitions[run.at("name")];
  }
  EXPECT_EQ(repetitions.size(), 4u);
  for (const auto& [name, count] : repetitions) EXPECT_EQ(count, 3) << name;
  // In one order of 15,400 each benchmark's repetitions follow one another.
  int changes = 0;
  std::string before;
  for (const std::string& line : lines_of(benched.ended.err)) {
    const auto at = line.find("Running vector_add/");
    if (at == std::string::npos) continue;
    changes += line.substr(at) != before;
    before = line.substr(at);
  }
  EXPECT_GT(changes, 4) << benched.ended.err;
}

TEST(Bench, AWrongContestantIsAnErrorInOurWords) {
  const Scratch scratch;
  scratch.copy_of("vector_add");
  scratch.write("problems/vector_add/forgets.cpp", R"(// podium:
//   title: Leaves the last element as it was

#include <podium/convert.hpp>
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i + 1 < args.c.size(); ++i)
      args.c.data[i] =
          podium::cast<real>(podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]));
  }
};
}  // namespace
)");
  const auto benched = bench({"--problems", (scratch.path() / "problems").string(),
                              "--benchmark_filter=f32/n=512/(serial|forgets)$", "--benchmark_min_time=5x",
                              "--benchmark_repetitions=2"});
  EXPECT_EQ(benched.ended.status, 1) << benched.ended.err;
  int wrong = 0, right = 0;
  for (const json& run : benched.output.at("benchmarks")) {
    if (run.at("run_name") == serial) {
      right += run.at("run_type") == "iteration";
      continue;
    }
    ++wrong;
    EXPECT_EQ(run.at("run_name"), "vector_add/f32/n=512/forgets");
    EXPECT_EQ(run.at("error_occurred"), true);
    EXPECT_THAT(run.at("error_message").get<std::string>(),
                AllOf(StartsWith("not written: c["), HasSubstr("]")));
  }
  EXPECT_EQ(right, 2);
  EXPECT_GE(wrong, 1);
}

TEST(Bench, WhatDoesNotCompileIsAnErrorToo) {
  const Scratch scratch;
  scratch.copy_of("vector_add");
  scratch.write("problems/vector_add/broken.cpp", "// podium:\n//   title: Does not compile\n\nint x = y;\n");
  const auto benched = bench({"--problems", (scratch.path() / "problems").string(),
                              "--benchmark_filter=f32/n=512/broken$", "--benchmark_min_time=5x"});
  EXPECT_EQ(benched.ended.status, 1) << benched.ended.err;
  ASSERT_EQ(benched.output.at("benchmarks").size(), 1u);
  EXPECT_THAT(benched.output["benchmarks"][0].at("error_message").get<std::string>(),
              StartsWith("did not compile: "));
}

TEST(Bench, WritesAFileBesideTheConsole) {
  const Scratch scratch;
  const auto file = scratch.path() / "out.json";
  const auto ended =
      podium({"bench", "vector_add", "--device", "host", "--quiet", "--benchmark_filter=f32/n=512/serial$",
              "--benchmark_min_time=5x", "--benchmark_time_unit=ms", "--benchmark_out=" + file.string(),
              "--benchmark_counters_tabular", "--benchmark_color=false"});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr(std::string(serial) + " "), HasSubstr(" ms "), HasSubstr(" sol")));
  const auto output = json::parse(std::ifstream(file));
  EXPECT_EQ(output.at("benchmarks").at(0).at("name"), serial);
  EXPECT_EQ(output.at("benchmarks").at(0).at("time_unit"), "ms");
}

TEST(Bench, MistakesAreOneSentence) {
  for (const std::string flag :
       {"--benchmark_min_time=soon", "--benchmark_repetitions=many", "--benchmark_repetitons=3",
        "--benchmark_filter=[", "--benchmark_out=/no/such/folder/out.json", "--benchmark_filter=no_such"}) {
    const auto ended = podium({"bench", "vector_add", "--device", "host", "--quiet", flag});
    EXPECT_EQ(ended.status, 2) << flag;
    EXPECT_EQ(ended.out, "") << flag;
    EXPECT_THAT(lines_of(ended.err), ElementsAre(AllOf(StartsWith("podium: "), HasSubstr("--benchmark_"))))
        << flag;
  }
  const auto idle = podium({"bench", "vector_add", "--device", "host", "--benchmark_list_tests",
                            "--benchmark_perf_counters=CYCLES", "--benchmark_min_time=1s"});
  EXPECT_THAT(lines_of(idle.err),
              ElementsAre(StartsWith("podium: --benchmark_perf_counters has no effect: ")));
}

// What is left then says so, and the file is whole.
TEST(Bench, IsEndedInOrder) {
  const Scratch scratch;
  const auto file = scratch.path() / "out.json";
  Command command({"bench", "vector_add", "--device", "host", "--quiet", "--benchmark_filter=n=512/serial$",
                   "--benchmark_min_time=100000x", "--benchmark_out=" + file.string()});
  const auto measuring = [&] {
    return fs::exists(file) && fs::file_size(file) > 0;
  };  // the context is written
  while (command.running() && !measuring()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_EQ(kill(command.pid(), SIGINT), 0);
  const Ended ended = command.wait();
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("podium: ended by SIGINT"));
  const auto output = json::parse(std::ifstream(file));
  ASSERT_EQ(output.at("benchmarks").size(), 2u);
  for (const json& run : output.at("benchmarks")) EXPECT_EQ(run.at("error_message"), "ended by SIGINT");
}

}  // namespace
}  // namespace podium::test
