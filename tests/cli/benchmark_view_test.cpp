// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Google Benchmark's flags and output over medians that are known: what a script reads must be what was
// measured.
#include "suite/cli/benchmark_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/record/metrics.hpp"

namespace podium::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Parsed {
  BenchmarkFlags flags;
  std::vector<std::string> rest;
  std::string said, error;  // said by `podium run`
};

Parsed parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "podium");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(arguments.size());
  Parsed parsed;
  std::ostringstream err;
  try {
    parsed.flags = parse_benchmark_flags(argc, argv.data());
    warn_ignored(parsed.flags.ignored_by_run, err);
    warn_ignored(parsed.flags.ignored, err);
  } catch (const Error& e) {
    parsed.error = e.what();
  }
  parsed.said = err.str();
  parsed.rest.assign(argv.begin() + 1, argv.begin() + argc);
  if (parsed.error.empty()) {
    EXPECT_EQ(argv[static_cast<std::size_t>(argc)], nullptr);
  }
  return parsed;
}

TEST(Flags, AreTakenOutOfTheArguments) {
  const Parsed got =
      parse({"run", "--benchmark_filter=-sort", "softmax", "--benchmark_list_tests",
             "--benchmark_repetitions=9", "--benchmark_format=json", "--benchmark_out=a=b.json",
             "--benchmark_out_format=csv", "--benchmark_counters_tabular=true", "--benchmark_color=false",
             "--quick", "--benchmark_time_unit=ms", "--benchmark_report_aggregates_only=true"});
  EXPECT_EQ(got.error, "");
  EXPECT_THAT(got.rest, ElementsAre("run", "softmax", "--quick"));
  EXPECT_EQ(got.flags.filter, "-sort");
  EXPECT_TRUE(got.flags.list_tests);
  EXPECT_EQ(got.flags.repetitions, 9);
  EXPECT_EQ(got.flags.format, "json");
  EXPECT_EQ(got.flags.out, "a=b.json");
  EXPECT_EQ(got.flags.out_format, "csv");
  EXPECT_TRUE(got.flags.counters_tabular);
  EXPECT_EQ(got.flags.color, "false");
  EXPECT_EQ(got.flags.time_unit, "ms");
  EXPECT_THAT(got.flags.forwarded, ElementsAre("--benchmark_report_aggregates_only=true"));
  EXPECT_EQ(got.said, "");
}

// What Google Benchmark 1.7 to 1.9 itself lists under --help, --help and --version aside.
TEST(Flags, EveryOneOfGoogleBenchmarkIsHonouredOrAnswered) {
  const std::vector<std::string> honoured{"--benchmark_list_tests",
                                          "--benchmark_list_tests=true",
                                          "--benchmark_filter=x",
                                          "--benchmark_repetitions=3",
                                          "--benchmark_dry_run",
                                          "--benchmark_dry_run=true",
                                          "--benchmark_report_aggregates_only=true",
                                          "--benchmark_display_aggregates_only=true",
                                          "--benchmark_format=csv",
                                          "--benchmark_out=x",
                                          "--benchmark_color=auto",
                                          "--benchmark_counters_tabular=true",
                                          "--benchmark_context=a=b,c=d",
                                          "--benchmark_time_unit=s"};
  const BenchmarkFlags none;
  for (const std::string& flag : honoured) {
    const Parsed got = parse({flag});
    EXPECT_EQ(got.error + got.said, "") << flag;
    const BenchmarkFlags& f = got.flags;
    EXPECT_TRUE(f.wanted() || f.list_tests || f.dry_run || f.filter != none.filter || f.repetitions > 0)
        << flag << " changes nothing";
  }
  const std::vector<std::string> ignored_flags{"--benchmark_min_time=2s",
                                               "--benchmark_min_time=0.5",
                                               "--benchmark_min_time=100x",
                                               "--benchmark_min_warmup_time=1",
                                               "--benchmark_enable_random_interleaving",
                                               "--benchmark_enable_random_interleaving=true",
                                               "--benchmark_perf_counters=CYCLES",
                                               "--benchmark_out_format=csv",
                                               "--v=3"};
  for (const std::string& flag : ignored_flags) {
    const Parsed got = parse({flag});
    EXPECT_EQ(got.error, "");
    EXPECT_FALSE(got.flags.wanted()) << flag;
    EXPECT_THAT(got.rest, ElementsAre());
    const std::string name = flag.substr(0, flag.find('='));
    EXPECT_THAT(got.said, testing::StartsWith("podium: " + name + " has no effect: "));
    EXPECT_EQ(std::ranges::count(got.said, '\n'), 1);
  }
}

TEST(Flags, AnsweredOnesAreAnsweredEach) {
  const Parsed got = parse({"--benchmark_min_warmup_time=1", "--benchmark_enable_random_interleaving"});
  EXPECT_EQ(
      got.said,
      "podium: --benchmark_min_warmup_time has no effect: every entry begins with one warm-up "
      "call, however long it takes\n"
      "podium: --benchmark_enable_random_interleaving has no effect: every round already has a random order "
      "of its own\n");
  EXPECT_EQ(parse({"--benchmark_out_format=csv", "--benchmark_out=x"}).said, "");
}

TEST(Flags, OfMeasuringAreForBenchAlone) {
  const BenchmarkFlags flags = parse({"--benchmark_min_time=0.5s", "--benchmark_min_warmup_time=2",
                                      "--benchmark_enable_random_interleaving", "--v=2"})
                                   .flags;
  EXPECT_EQ(flags.min_time, 0.5);
  EXPECT_EQ(flags.min_warmup_time, 2);
  EXPECT_TRUE(flags.random_interleaving);
  EXPECT_EQ(flags.log_level, "2");
  EXPECT_THAT(flags.ignored, ElementsAre()) << "podium bench says that they have no effect";
  const BenchmarkFlags calls = parse({"--benchmark_min_time=0.5s", "--benchmark_min_time=100x"}).flags;
  EXPECT_EQ(calls.iterations, 100);
  EXPECT_FALSE(calls.min_time);
  EXPECT_THAT(parse({"--benchmark_perf_counters=CYCLES"}).flags.ignored,
              ElementsAre(HasSubstr("--benchmark_perf_counters has no effect")));
}

TEST(Flags, OutputIsWantedOnlyWhereAskedFor) {
  EXPECT_FALSE(parse({}).flags.wanted());
  EXPECT_FALSE(parse({"--benchmark_filter=x", "--benchmark_repetitions=7"}).flags.wanted());
  EXPECT_TRUE(parse({"--benchmark_format=console"}).flags.wanted());
  EXPECT_TRUE(parse({"--benchmark_out=x"}).flags.wanted());
  EXPECT_TRUE(parse({"--benchmark_time_unit=ms"}).flags.wanted());
}

TEST(Flags, MistakesAreNamed) {
  EXPECT_THAT(parse({"--benchmark_filtr=x"}).error,
              AllOf(HasSubstr("filtr"), HasSubstr("nearest: \"filter\"")));
  EXPECT_THAT(parse({"--benchmark_min_tme=1"}).error, HasSubstr("nearest: \"min_time\""));
  EXPECT_THAT(parse({"--benchmark_min_time=long"}).error,
              HasSubstr("expected seconds, 0.5s, or calls, 100x"));
  for (const std::string calls : {"0x", "-3x", "1.5x", "x"})
    EXPECT_THAT(parse({"--benchmark_min_time=" + calls}).error, HasSubstr("or calls, 100x"));
  EXPECT_THAT(parse({"--v=much"}).error, HasSubstr("--v: found 'much', expected a number"));
  EXPECT_THAT(parse({"--benchmark_min_warmup_time=3x"}).error, HasSubstr("expected seconds, 0.5"));
  EXPECT_THAT(parse({"--benchmark_context=a"}).error, HasSubstr("expected KEY=VALUE"));
  EXPECT_THAT(parse({"--benchmark_report_aggregates_only=some"}).error, HasSubstr("true or false"));
  EXPECT_THAT(parse({"--benchmark_filter=[a"}).error,
              HasSubstr("--benchmark_filter: found '[a', expected a regular expression"));
  EXPECT_THAT(parse({"--benchmark_filter=-*"}).error, HasSubstr("expected a regular expression"));
  EXPECT_THAT(parse({"--benchmark_filter"}).error, HasSubstr("expected --benchmark_filter=VALUE"));
  for (const std::string number : {"0", "-1", "many", "7x", "", "1001"})
    EXPECT_THAT(parse({"--benchmark_repetitions=" + number}).error,
                HasSubstr("expected a number from 1 to 1000"));
  EXPECT_THAT(parse({"--benchmark_format=xml"}).error, HasSubstr("found 'xml', expected console, json, csv"));
  EXPECT_THAT(parse({"--benchmark_color=blue"}).error, HasSubstr("expected auto, true or false"));
  EXPECT_THAT(parse({"--benchmark_list_tests=maybe"}).error, HasSubstr("expected true or false"));
}

TEST(Filter, SearchesAndNegates) {
  const std::string name = "softmax/f32/rows=512,cols=4096/online";
  for (const std::string filter :
       {"", "all", "softmax", "f32.*online$", "^softmax/(f32|bf16)/", "-sort", "."})
    EXPECT_TRUE(matches(filter, name)) << filter;
  for (const std::string filter : {"sort", "^f32", "-softmax", "-."})
    EXPECT_FALSE(matches(filter, name)) << filter;
}

class View : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "podium-view-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string shown(const BenchmarkFlags& flags, const std::vector<report::BenchmarkRow>& all) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    errors_ = present(flags, all);
    std::cout.flush();
    testing::internal::GetCapturedStderr();
    return testing::internal::GetCapturedStdout();
  }

  std::filesystem::path folder_;
  int errors_ = -1;
};

const std::string first = "softmax/f32/rows=512,cols=4096/online",
                  second = "softmax/f32/rows=512,cols=4096/cudnn",
                  broken = "softmax/f32/rows=512,cols=4096/broken";

std::vector<report::BenchmarkRow> some() {
  return {{.name = first, .medians_us = {412.3, 0.0123456789, 410.9}, .bytes = 1e9, .flops = 2e9},
          {.name = second, .medians_us = {500}},
          {.name = broken, .medians_us = {1, 2}, .error = "wrong: y[0] is 1"}};
}

TEST_F(View, JsonHoldsOurMediansUnderOurNames) {
  const auto json = nlohmann::json::parse(shown({.format = "json"}, some()));
  EXPECT_EQ(errors_, 1);
  std::vector<double> times;
  std::vector<std::string> aggregates;
  for (const auto& each : json.at("benchmarks")) {
    const std::string name = each.at("name");
    EXPECT_THAT(name, Not(HasSubstr("iterations"))) << "no suffix of Google Benchmark's own";
    if (each.value("error_occurred", false)) {
      EXPECT_EQ(name, broken);
      EXPECT_EQ(each.at("error_message"), "wrong: y[0] is 1");
      continue;
    }
    if (each.at("run_type") == "aggregate") {
      EXPECT_EQ(each.at("run_name"), first);
      aggregates.push_back(name);
      if (each.at("aggregate_name") == "median") {
        EXPECT_NEAR(each.at("real_time"), 410.9, 1e-9);
      }
      continue;
    }
    if (name == first) times.push_back(each.at("real_time"));
    if (name == second) {
      EXPECT_NEAR(each.at("real_time"), 500, 1e-9);
    }
    EXPECT_EQ(each.at("time_unit"), "us");
    EXPECT_EQ(each.at("iterations"), 1);
  }
  ASSERT_EQ(times.size(), 3u);
  EXPECT_NEAR(times[0], 412.3, 1e-9);
  EXPECT_NEAR(times[1], 0.0123456789, 1e-14);
  EXPECT_NEAR(times[2], 410.9, 1e-9);
  EXPECT_THAT(aggregates, testing::IsSupersetOf({first + "_mean", first + "_median", first + "_stddev"}));
}

TEST_F(View, RatesFollowFromTheMedians) {
  const auto json = nlohmann::json::parse(shown({.format = "json"}, some()));
  const auto& each = json.at("benchmarks").at(0);
  EXPECT_NEAR(each.at("bytes_per_second"), 1e9 / 412.3e-6, 1);
  EXPECT_NEAR(each.at("flops"), 2e9 / 412.3e-6, 1);
}

// The same at each repetition, so that Google Benchmark's aggregates show it, too.
TEST_F(View, MetricsAreCounters) {
  auto all = some();
  all[0].metrics[record::hot] = {3, 1, 2};
  const auto json = nlohmann::json::parse(shown({.format = "json"}, all));
  for (const auto& each : json.at("benchmarks"))
    if (each.at("run_name") == first && each.value("aggregate_name", "mean") == "mean") {
      EXPECT_NEAR(each.at("hot_us"), 2, 1e-9);
    }
  EXPECT_FALSE(json.at("benchmarks").back().contains("hot_us"));
}

TEST_F(View, EveryBenchmarkIsThereAndNoneTwice) {
  const auto json = nlohmann::json::parse(shown({.format = "json"}, some()));
  int repetitions = 0;
  for (const auto& each : json.at("benchmarks")) repetitions += each.value("run_type", "") == "iteration";
  EXPECT_EQ(repetitions, 3 + 1 + 1);
}

TEST_F(View, ConsoleShowsNamesUnitsAndErrors) {
  const std::string text = shown({.format = "console", .color = "false"}, some());
  EXPECT_THAT(text, AllOf(HasSubstr(first + " "), HasSubstr("412 us"), HasSubstr(first + "_median"),
                          HasSubstr("bytes_per_second"), HasSubstr("ERROR OCCURRED: 'wrong: y[0] is 1'"),
                          Not(HasSubstr("manual_time")), Not(HasSubstr("\x1b["))));
}

TEST_F(View, ColorAndTabularCounters) {
  const std::string text = shown({.format = "console", .color = "true", .counters_tabular = true}, some());
  EXPECT_THAT(text, AllOf(HasSubstr("\x1b["), Not(HasSubstr("bytes_per_second="))));
}

TEST_F(View, FileAndDisplayAreIndependent) {
  const std::string out = folder_ / "out.json";
  const std::string text = shown({.format = "csv", .out = out}, some());
  EXPECT_THAT(text, HasSubstr("name,iterations,real_time"));
  EXPECT_THAT(text, HasSubstr("\"" + first + "\",1,412.3"));
  const auto json = nlohmann::json::parse(std::ifstream(out));
  EXPECT_EQ(json.at("benchmarks").at(0).at("name"), first);
}

TEST_F(View, TimeUnitAndForwardedFlags) {
  const auto json = nlohmann::json::parse(
      shown({.format = "json",
             .time_unit = "ms",
             .forwarded = {"--benchmark_report_aggregates_only=true", "--benchmark_context=run=7"}},
            {some()[0]}));
  EXPECT_EQ(json.at("context").at("run"), "7");
  for (const auto& each : json.at("benchmarks")) EXPECT_EQ(each.at("run_type"), "aggregate");
  EXPECT_NEAR(json.at("benchmarks").at(1).at("real_time"), 0.4109, 1e-12);
}

TEST_F(View, EnvironmentVariablesChangeNothing) {  // read before main(): hence another process
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string variables =
      "BENCHMARK_FILTER=nothing BENCHMARK_MIN_WARMUP_TIME=0.01 BENCHMARK_REPETITIONS=5 "
      "BENCHMARK_ENABLE_RANDOM_INTERLEAVING=1 BENCHMARK_LIST_TESTS=1 "
      "BENCHMARK_REPORT_AGGREGATES_ONLY=1";
  const std::string command =
      variables + " '" + self + "' --gtest_filter='View.JsonHolds*:View.EveryBenchmark*' >/dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(View, WithoutTimesThereIsAnErrorAndNotAZero) {
  const auto json = nlohmann::json::parse(shown({.format = "json"}, {{.name = first}}));
  EXPECT_EQ(json.at("benchmarks").at(0).at("error_message"), "not timed");
}

TEST_F(View, AnUnwritableFileIsOneSentence) {
  try {
    present({.out = folder_ / "no" / "such.json"}, some());
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("such.json: cannot be written: No such file or directory"));
  }
}

}  // namespace
}  // namespace podium::cli
