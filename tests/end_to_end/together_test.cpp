// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls timed several at a time: a lie that one call hides is found, and all that was measured is recorded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>

#include "suite/measure/samples.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/verdict_rows.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

constexpr double hidden = 170;        // microseconds that short_clock.cpp takes off every call
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

record::Run run_with(const Scratch& scratch, const std::vector<std::string>& more) {
  const auto ended = podium(arguments_of(scratch, more));
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

// The least time that counts of that workload, in rounds from `first` to before `end`; infinite: none.
double least_of(const record::Run& run, const std::string& contestant, int first, int end) {
  double least = std::numeric_limits<double>::infinity();
  for (const record::Entry& entry : run.entries)
    if (entry.contestant == contestant && entry.workload == shorter && entry.verdict == "right" &&
        entry.round >= first && entry.round < end)
      least = std::min(least, entry.median.value);
  return least;
}

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

// Whether the lie is in a time that counts. Every call takes `hidden` at least.
bool has_lied(const Scratch& scratch) {
  const auto runs = scratch.runs();
  return !runs.empty() && least_of(runs.back(), "short_clock", 0, 1) < hidden / 2;
}

double tolerance_of(const record::Run& run) { return run.provenance.at("boards").at(0).at("tolerance"); }

TEST(Together, FindsAClockThatLosesLessThanOneCallShows) {
  constexpr int attempts = 3;
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const record::Run run = run_with(scratch, {filter, "--contestant", short_clock()});
    tolerance = tolerance_of(run);
    if (tolerance > quiet) continue;
    print_verdict("short_clock", accused, outcome_of(run, "short_clock").cell());
    if (!caught(run, "short_clock")) {
      EXPECT_TRUE(judged(run, "short_clock")) << "tolerance " << tolerance;
      EXPECT_GE(least_of(run, "short_clock", 0, 7), hidden / 2) << "a call takes twice that at least";
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
  const Scratch scratch;
  constexpr int rounds = 4;  // under load each takes ten times as long
  Command command(arguments_of(scratch, {filter, "--contestant", short_clock()}, rounds));
  while (command.running() && !has_lied(scratch)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::optional<Load> load(std::in_place);
  const Ended ended = command.wait();
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  if (caught(runs[0], "short_clock")) return;
  if (tolerance_of(runs[0]) > quiet)
    GTEST_SKIP() << "the machine was busy before: the judge's clock scatters by " << tolerance_of(runs[0])
                 << " µs";
  // A call takes `hidden` at least, and so does each of several: nothing bears out half of that.
  EXPECT_NE(find(runs[0], "short_clock", "right"), nullptr) << ended.out;
  EXPECT_GE(least_of(runs[0], "short_clock", 0, rounds), hidden / 2) << "the lie has gone through\n"
                                                                     << ended.out;
}

// Times of the shorter workload that count, and what the judge's intervals are longer; medians, in
// microseconds.
struct Counted {
  double time = 0, beside = 0;
};

std::vector<Counted> counted(const record::Run& run, const std::string& contestant, int first, int end) {
  std::vector<Counted> all;
  for (const record::Entry& entry : run.entries)
    if (entry.contestant == contestant && entry.workload == shorter && entry.verdict == "right" &&
        entry.round >= first && entry.round < end)
      all.push_back({.time = entry.median.value,
                     .beside = measure::median(entry.judge_microseconds).value - entry.median.value});
  return all;
}

// Of rounds that lie, and those that do not. Whether a lie is in a time that counts: such a time is shorter
// than all honest ones, and the judge's interval is not. A machine that is faster for a while shortens both.
bool lie_counts(const std::vector<Counted>& lying, const std::vector<Counted>& honest, double lie) {
  const double time = std::ranges::min(honest, {}, &Counted::time).time;
  const double beside = std::ranges::min(honest, {}, &Counted::beside).beside;
  return std::ranges::any_of(lying, [&](const Counted& entry) {
    return entry.time < time - lie / 2 && entry.beside > beside + lie / 2;
  });
}

// What a cell says beside "right" where the rounds from the first lie on have honest times: how many of them.
std::string no_lie_of(std::size_t entries) {
  return " (no lie counts: of " + std::to_string(entries) + " times from the first lie on none is shorter)";
}

// The cheat that lies in three of its rounds alone, from `first` on, beside the problem, where its process
// lives on between them.
void expect_caught(const std::string& name, int first) {
  constexpr double lie = 150;  // microseconds
  constexpr int lying = 3, rounds = 7, attempts = 3;
  const std::string expected = accused + std::string(first > 0 ? " | no lie counts" : "");
  double tolerance = 0;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Scratch scratch;
    const fs::path folder = scratch.copy_of("sum");
    for (const auto& file : {name + ".cpp", std::string("short_lie.hpp"), std::string("bent_clock.hpp"),
                             std::string("overwritten.hpp")})
      fs::copy_file(cheats_of_sum() / file, folder / file);
    const record::Run run =
        run_with(scratch, {filter, "--problems", folder.parent_path().string(), "--contestant", name});
    tolerance = tolerance_of(run);
    const std::string got = outcome_of(run, name).cell();
    if (caught(run, name)) return print_verdict(name, expected, got);
    if (tolerance > quiet) continue;
    // It gains nothing where the judge's times count in place of its lies.
    const auto honest = counted(run, name, first == 0 ? lying : 0, first == 0 ? rounds : first);
    ASSERT_FALSE(honest.empty()) << "nothing to hold its lies against";
    const auto lied = counted(run, name, first, first == 0 ? lying : rounds);
    ASSERT_FALSE(lied.empty()) << "no round to lie in";
    EXPECT_FALSE(lie_counts(lied, honest, lie)) << "the lie has gone through; tolerance " << tolerance;
    if (judged(run, name)) return print_verdict(name, expected, got);
    // Doubted, it is started anew; one that is honest at first is so then, and nothing is left of its lie.
    if (first > 0) return print_verdict(name, expected, got + no_lie_of(lied.size()));
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
    if (entry.round < 0 || entry.verdict != "right") continue;
    together += entry.together.calls > 1;
    EXPECT_FALSE(entry.twin && entry.together.calls > 0) << "the twin is the same plugin";
    EXPECT_EQ(entry.together.microseconds.size(), entry.together.judge_microseconds.size());
    hot += !entry.hot.microseconds.empty();
    if (entry.hot.microseconds.empty()) {
      EXPECT_EQ(entry.graph.text, "") << "round " << entry.round;
      continue;
    }
    EXPECT_EQ(entry.round, 0);
    EXPECT_FALSE(entry.twin);
    EXPECT_GE(entry.hot.microseconds.size(), 5u);
    EXPECT_GT(entry.hot.median.value, 0);
    EXPECT_THAT(entry.graph.text, testing::HasSubstr("a CPU has no graphs"));
    EXPECT_NE(entry.end_to_end.text, "");
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
    EXPECT_TRUE(entry.hot.microseconds.empty());
    EXPECT_EQ(entry.graph.text, "");
  }
}

}  // namespace
}  // namespace podium::test
