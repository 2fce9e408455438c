// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls timed several at a time: a lie that one call hides is found, and all that was measured is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>

#include "suite/record/metrics.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/verdict_rows.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

// Microseconds, as the cheats have them.
constexpr double takes = 500;         // each of their calls, at least, in truth
constexpr double hidden = 170;        // short_clock.cpp takes off every call
constexpr double hidden_later = 150;  // the others, in three rounds
constexpr double quiet = 2 * hidden;  // of the tolerance, in which several calls still show it

// The workload of sum in which calls are short enough to be looked at together; alone it takes a third of the
// time of both.
constexpr const char* shorter = "n=1000000";
const std::string filter = std::string("--benchmark_filter=") + shorter;

std::vector<std::string> arguments_of(const Scratch& scratch, const std::vector<std::string>& more,
                                      int rounds = 7) {
  std::vector<std::string> arguments{"run",
                                     "sum",
                                     "--device",
                                     "host",
                                     "--quick",
                                     "--rounds",
                                     std::to_string(rounds),
                                     "--results",
                                     scratch.results().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

record::Run run_with(const Scratch& scratch, const std::vector<std::string>& more, int rounds = 7) {
  const auto ended = podium(arguments_of(scratch, more, rounds));
  const auto runs = scratch.runs();
  if (runs.empty()) throw std::runtime_error(ended.err);
  return runs.back();
}

bool caught(const record::Run& run, const std::string& contestant) {
  return find(run, contestant, "clock") || find(run, contestant, "not attested");
}

constexpr const char* accused = "clock | not attested | judge's clock";
constexpr const char* too_busy = "left out: the machine is busy";

// Whether the judge's times count in place of the worker's: a machine that was calm at the start and no
// longer is may leave it at that; never say that all is well.
bool judged(const record::Run& run, const std::string& contestant) {
  return std::ranges::any_of(run.entries, [&](const record::Entry& entry) {
    return entry.contestant == contestant && entry.workload == shorter && entry.judged;
  });
}

// The times that count of that workload, in rounds from `first` to before `end`.
std::vector<double> counted(const record::Run& run, const std::string& contestant, int first, int end) {
  std::vector<double> all;
  for (const record::Entry& entry : run.entries)
    if (entry.contestant == contestant && entry.workload == shorter && entry.verdict.word() == "right" &&
        entry.round >= first && entry.round < end)
      all.push_back(entry.median.value);
  return all;
}

// Of a call that takes `takes` in truth: more of the lie is in it than what the clocks scatter.
testing::Matcher<double> without(double lie) { return testing::Ge(takes - lie / 2); }

fs::path cheats_of_sum() { return fs::path(source_dir()) / "tests/cheats/sum"; }
fs::path short_clock() { return cheats_of_sum() / "short_clock.cpp"; }

// A line of the table of verdicts, as verdict_test.cpp prints those of all other cheats.
void print_verdict(const std::string& name, const std::string& expected, const std::string& got) {
  const std::string mark = "// class: ";
  std::string cheats;
  std::ifstream in(cheats_of_sum() / (name + ".cpp"));
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(mark)) cheats = line.substr(mark.size());
  print_heading("cheats/sum");
  print_row(name, cheats, expected, got);
}

// More threads that compute than there are processors.
class Load {
 public:
  Load() {
    for (unsigned n = 0; n < 2 * std::thread::hardware_concurrency(); ++n)
      threads_.emplace_back([](const std::stop_token& stop) {
        for (volatile unsigned work = 0; !stop.stop_requested();) work = work + 1;
      });
  }

 private:
  std::vector<std::jthread> threads_;
};

// Whether somebody's calls were timed: what they are held against has been measured by then.
bool has_begun(const Scratch& scratch) {
  const auto runs = scratch.runs();
  return !runs.empty() &&
         std::ranges::any_of(runs.back().entries, [](const auto& entry) { return entry.round == 0; });
}

double tolerance_of(const record::Run& run) { return run.provenance.at("boards").at(0).at("tolerance"); }

TEST(Together, FindsAClockThatLosesLessThanOneCallShows) {
  constexpr int rounds = 3, attempts = 3;
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const record::Run run = run_with(scratch, {filter, "--contestant", short_clock()}, rounds);
    tolerance = tolerance_of(run);
    if (tolerance > quiet) continue;
    print_verdict("short_clock", accused, outcome_of(run, "short_clock").cell());
    if (!caught(run, "short_clock")) {
      EXPECT_TRUE(judged(run, "short_clock")) << "tolerance " << tolerance;
      EXPECT_THAT(counted(run, "short_clock", 0, rounds), testing::Each(without(hidden)));
    }
    EXPECT_EQ(find(run, "threads", "clock"), nullptr) << "an honest one was doubted";
    return;
  }
  print_verdict("short_clock", accused, too_busy);
  GTEST_SKIP() << "the machine is too busy: the judge's clock scatters by " << tolerance << " µs";
}

// Neither what is measured anew while the machine is busy, and scatters so that the lie would fit into it,
// nor medians that load has lengthened until several calls bear them out.
TEST(Together, LoadThatBeginsLaterExcusesNothing) {
  constexpr int rounds = 2;    // under load each takes ten times as long
  constexpr int attempts = 8;  // contestants come in any order: who is first has been caught before
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    Command command(arguments_of(scratch, {filter, "--contestant", short_clock()}, rounds));
    while (command.running() && !has_begun(scratch))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Load load;
    const auto before = scratch.runs();
    const Ended ended = command.wait();
    ASSERT_EQ(before.size(), 1u) << ended.err;
    if (caught(before[0], "short_clock")) continue;
    const record::Run run = scratch.runs().at(0);
    if (caught(run, "short_clock")) return;
    if (tolerance_of(run) > quiet)
      GTEST_SKIP() << "the machine was busy before: the judge's clock scatters by " << tolerance_of(run)
                   << " µs";
    const auto times = counted(run, "short_clock", 0, rounds);
    EXPECT_FALSE(times.empty()) << ended.out;
    EXPECT_THAT(times, testing::Each(without(hidden))) << "the lie has gone through\n" << ended.out;
    return;
  }
  ADD_FAILURE() << "of " << attempts << " runs all had caught it before the load began";
}

// What a cell says beside "right" where the rounds from the first lie on have honest times: how many of them.
std::string no_lie_of(std::size_t entries) {
  return " (no lie counts: of " + std::to_string(entries) + " times from the first lie on none is shorter)";
}

// The cheat that lies in three of its rounds alone, from `first` on, beside the problem, where its process
// lives on between them.
void expect_caught(const std::string& name, int first) {
  constexpr int lying = 3, attempts = 3;
  const int rounds = first + lying + 1;
  const std::string expected = accused + std::string(first > 0 ? " | no lie counts" : "");
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const fs::path folder = scratch.copy_of("sum");
    for (const auto& file : {name + ".cpp", std::string("short_lie.hpp"), std::string("bent_clock.hpp"),
                             std::string("overwritten.hpp")})
      fs::copy_file(cheats_of_sum() / file, folder / file);
    const record::Run run = run_with(
        scratch, {filter, "--problems", folder.parent_path().string(), "--contestant", name}, rounds);
    tolerance = tolerance_of(run);
    const std::string got = outcome_of(run, name).cell();
    if (caught(run, name)) return print_verdict(name, expected, got);
    if (tolerance > quiet) continue;
    // It gains nothing where the judge's times count in place of its lies.
    const auto times = counted(run, name, first, first == 0 ? lying : rounds);
    ASSERT_FALSE(times.empty()) << "no round to lie in";
    EXPECT_THAT(times, testing::Each(without(hidden_later)))
        << "the lie has gone through; tolerance " << tolerance;
    if (judged(run, name)) return print_verdict(name, expected, got);
    // Doubted, it is started anew; one that is honest at first is so then, and nothing is left of its lie.
    if (first > 0) return print_verdict(name, expected, got + no_lie_of(times.size()));
  }
  print_verdict(name, expected, tolerance > quiet ? too_busy : "never caught");
  if (tolerance > quiet)
    GTEST_SKIP() << "the machine is too busy: the judge's clock scatters by " << tolerance << " µs";
  ADD_FAILURE() << name << " was never caught";
}

TEST(Together, ALieOfTheFirstRoundsIsLookedAtThere) { expect_caught("lies_at_first", 0); }

TEST(Together, BeingBelievedOnceExcusesNoLaterRound) { expect_caught("lies_later", 3); }

// Once for each contestant and workload, whatever the round, and again where a round reported less than that
// bears out; columns in the first.
TEST(Together, IsRecordedBesideTheColumns) {
  const Scratch scratch;
  const record::Run run = run_with(scratch, {"--contestant", "threads"});
  int together = 0, hot = 0;
  for (const record::Entry& entry : run.entries) {
    if (entry.round < 0 || entry.verdict.word() != "right") continue;
    together += entry.together.calls > 1;
    EXPECT_FALSE(entry.twin && entry.together.calls > 0) << "the twin is the same plugin";
    EXPECT_EQ(entry.together.microseconds.size(), entry.together.judge_microseconds.size());
    hot += !entry.measured[record::hot].samples.empty();
    if (entry.measured[record::hot].samples.empty()) {
      EXPECT_EQ(entry.measured[record::graph].text, "") << "round " << entry.round;
      continue;
    }
    EXPECT_EQ(entry.round, 0);
    EXPECT_FALSE(entry.twin);
    EXPECT_GE(entry.measured[record::hot].samples.size(), 5u);
    EXPECT_GT(entry.measured[record::hot].median.value, 0);
    EXPECT_THAT(entry.measured[record::graph].text, testing::HasSubstr("a CPU has no graphs"));
    EXPECT_NE(entry.measured[record::end_to_end].text, "");
  }
  EXPECT_EQ(hot, 2) << "one a workload";
  // One a workload at least; none of a call that a busy machine makes a long one.
  EXPECT_GE(together, 1);
  const auto& board = run.provenance.at("boards").at(0);
  EXPECT_GE(board.at("empty_call").get<double>(), 0);
  EXPECT_GT(board.at("judge_overhead").get<double>(), 0);
  EXPECT_GE(tolerance_of(run), 200);
}

TEST(Together, ColdOnlyLeavesTheColumnsOut) {
  const Scratch scratch;
  const record::Run run = run_with(scratch, {"--contestant", "threads", "--cold-only"});
  for (const record::Entry& entry : run.entries) {
    EXPECT_TRUE(entry.measured[record::hot].samples.empty());
    EXPECT_EQ(entry.measured[record::graph].text, "");
  }
}

}  // namespace
}  // namespace podium::test
