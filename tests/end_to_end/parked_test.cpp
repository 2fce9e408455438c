// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Workers between their turns, as a user's `podium run` has them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "suite/record/spent.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using namespace std::chrono_literals;

// Two contestants that are timed; the baseline is one of them, and has a twin.
const std::vector<std::string> two{"--contestant", "serial", "threads"};

std::vector<std::string> run_of(const Scratch& scratch, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{
      "run", "sum", "--device", "host", "--quick", "--rounds", "3", "--results", scratch.results().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

// The first letter of a process's state, and its real user id.
std::pair<char, std::string> status_of(pid_t pid) {
  std::ifstream file(fs::path("/proc") / std::to_string(pid) / "status");
  char state = '?';
  std::string uid;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("State:\t")) state = line[7];
    if (line.starts_with("Uid:\t")) uid = line.substr(5, line.find('\t', 5) - 5);
  }
  return {state, uid};
}

bool stands_still(char state) { return state == 'T' || state == 't'; }  // stopped, and held besides

std::int64_t memory_of(pid_t pid) {  // bytes, without what is shared
  std::ifstream file(fs::path("/proc") / std::to_string(pid) / "statm");
  std::int64_t all = 0, resident = 0, shared = 0;
  file >> all >> resident >> shared;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

struct Seen {
  std::map<pid_t, std::set<int>>
      workers;                   // and the rounds of which the last finished entry was while they lived
  std::set<pid_t> large;         // of them, those that hold more than 100 MiB of their own
  std::size_t most_at_once = 0;  // of them
  std::size_t most_stopped = 0;  // but for those that stand still while their inputs are written
  bool shared_user = false;      // two at the same time had one user id
  Ended ended;

  // Whether a worker was there from the first round to the third. One that lives for a turn sees the end of
  // the turn before it, and its own.
  bool lasted() const {
    return std::ranges::any_of(
        workers, [](const auto& one) { return one.second.contains(0) && one.second.contains(2); });
  }
};

Seen watch(Command& command, const Scratch& scratch) {
  Seen seen;
  while (command.running()) {
    std::this_thread::sleep_for(2ms);
    const auto runs = scratch.runs();
    const int round = runs.empty() || runs[0].entries.empty() ? -1 : runs[0].entries.back().round;
    if (round < 0) continue;
    std::set<std::string> users;
    std::size_t stopped = 0;
    const auto workers = command.processes("podium-worker");
    for (const pid_t pid : workers) {
      const auto [state, uid] = status_of(pid);
      if (state == '?' || state == 'Z') continue;
      seen.workers[pid].insert(round);
      if (memory_of(pid) > std::int64_t{100} << 20) seen.large.insert(pid);
      stopped += stands_still(state);
      if (uid != "0") seen.shared_user = !users.insert(uid).second || seen.shared_user;
    }
    seen.most_at_once = std::max(seen.most_at_once, workers.size());
    seen.most_stopped = std::max(seen.most_stopped, stopped);
  }
  seen.ended = command.wait();
  return seen;
}

void expect_right(const Scratch& scratch) {
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  int timed = 0;
  for (const auto& entry : runs[0].entries) {
    EXPECT_EQ(entry.verdict.word(), "right") << entry.contestant << ": " << entry.text;
    timed += entry.round >= 0;
    if (entry.round >= 0) {
      EXPECT_FALSE(entry.canaries.empty());
      EXPECT_LE(entry.canaries.size(), 2u);
      for (const double canary : entry.canaries) EXPECT_GT(canary, 0);
    }
  }
  EXPECT_EQ(timed, 3 * 3 * 2) << "rounds, contestants with the twin, workloads";
}

TEST(Parked, WorkersAreKeptFromRoundToRound) {
  const Scratch scratch;
  Command command(run_of(scratch, two));
  const Seen seen = watch(command, scratch);
  EXPECT_EQ(seen.ended.status, 0) << seen.ended.err;
  expect_right(scratch);
  EXPECT_GE(seen.most_stopped, 2u);
  EXPECT_TRUE(seen.lasted());
  EXPECT_FALSE(seen.shared_user);
}

TEST(Parked, IsolatedOnesAreStartedEachTurn) {
  const Scratch scratch;
  Command command(run_of(scratch, {"--isolated", "--contestant", "serial", "threads"}));
  const Seen seen = watch(command, scratch);
  EXPECT_EQ(seen.ended.status, 0) << seen.ended.err;
  expect_right(scratch);
  EXPECT_LE(seen.most_at_once, 2u) << "one, and another that is being reaped";
  EXPECT_FALSE(seen.lasted());
}

// As libraries do that choose a kernel once: what the first call decides in a process must not be decided by
// the small inputs of a test.
TEST(Parked, RoundsBeginWithAProcessThatHasSeenNoTest) {
  const Scratch scratch;
  const fs::path folder = scratch.copy_of("sum");
  std::ofstream(folder / "decides.cpp") << R"c(// podium: { title: "Sleeps if its first input was small" }
#include <podium/sum.hpp>
#include <chrono>
#include <thread>
namespace {
struct Contestant {
  explicit Contestant(const problem::Workload& w) {
    static const bool small = w.n < 1'000'000;
    slow = small;
  }
  void run(const problem::Arguments& args, podium::Stream) {
    double sum = 0;
    for (std::int64_t i = 0; i < args.n; ++i) sum += args.x(i);
    args.y() = float(sum);
    if (slow) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  bool slow = false;
};
}  // namespace
)c";
  const auto ended = podium({"run", "sum", "--problems", folder.parent_path().string(), "--contestant",
                             "decides", "--device", "host", "--quick", "--rounds", "2", "--cold-only",
                             "--results", scratch.results().string()});
  ASSERT_EQ(ended.status, 0) << ended.err << ended.out;
  int timed = 0;
  for (const record::Entry& entry : scratch.runs().at(0).entries)
    if (entry.contestant == "decides" && entry.round >= 0) {
      ++timed;
      EXPECT_LT(entry.median.value, 25'000) << "microseconds, " << entry.workload;
    }
  EXPECT_EQ(timed, 2 * 2) << "rounds, workloads";
}

// A file that nobody has looked through competes with one worker at a time, whatever else is on the board.
TEST(Parked, ForeignFilesPutNobodyOnHold) {
  const Scratch scratch;
  std::ifstream original(fs::path(source_dir()) / "kernels/sum/serial.cpp");
  const std::string text{std::istreambuf_iterator<char>(original), {}};
  const std::string file = scratch.write("mine.cpp", text);
  Command command(run_of(scratch, {"--contestant", file}));
  const Seen seen = watch(command, scratch);
  EXPECT_EQ(seen.ended.status, 0) << seen.ended.err;
  expect_right(scratch);
  EXPECT_LE(seen.most_at_once, 2u);
  EXPECT_FALSE(seen.lasted());
}

// Not their fault: others take their place, and no row is lost.
TEST(Parked, WhatIsKilledWhileParkedIsStartedAgain) {
  const Scratch scratch;
  Command command(run_of(scratch, two));
  int killed = 0;
  while (command.running() && killed < 3) {
    std::this_thread::sleep_for(5ms);
    std::vector<pid_t> stopped;
    for (const pid_t pid : command.processes("podium-worker"))
      if (stands_still(status_of(pid).first)) stopped.push_back(pid);
    if (stopped.size() < 2) continue;
    // The one on turn stands still for a moment, too: only who still does is parked.
    std::this_thread::sleep_for(100ms);
    std::ranges::sort(stopped);
    kill(stopped.front(), 0);
    const auto ticks = [](pid_t pid) {
      std::ifstream file(fs::path("/proc") / std::to_string(pid) / "schedstat");
      long long ran = -1;
      file >> ran;
      return ran;
    };
    const long long before = ticks(stopped.front());
    std::this_thread::sleep_for(30ms);
    if (ticks(stopped.front()) != before || !stands_still(status_of(stopped.front()).first)) continue;
    kill(stopped.front(), SIGKILL);
    ++killed;
  }
  const Ended ended = command.wait();
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  EXPECT_GT(killed, 0);
  expect_right(scratch);
}

std::string text_of(const std::string& file) {
  std::ifstream in(fs::path(source_dir()) / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What outlives its instance and is more than parked workers may hold: that one is ended, the others stay.
TEST(Parked, TheirMemoryIsBounded) {
  const Scratch scratch;
  for (const char* file : {"problem.yaml", "serial.cpp", "threads.cpp"})
    scratch.write(fs::path("kernels/sum") / file, text_of(std::string("kernels/sum/") + file));
  std::string heavy = text_of("kernels/sum/serial.cpp");
  const auto body = heavy.find("struct Contestant");
  ASSERT_NE(body, std::string::npos);
  heavy.insert(
      body, "char held[120 << 20];\nconst bool touched = (__builtin_memset(held, 1, sizeof held), true);\n");
  scratch.write("kernels/sum/heavy.cpp", heavy);
  Command command(run_of(scratch, {"--memory", "400", "--problems", (scratch.path() / "kernels").string()}));
  const Seen seen = watch(command, scratch);
  EXPECT_EQ(seen.ended.status, 0) << seen.ended.out << seen.ended.err;
  EXPECT_TRUE(seen.lasted()) << "the others were ended";
  EXPECT_GE(seen.large.size(), 2u) << "started again each round";
  for (const pid_t pid : seen.large)
    EXPECT_FALSE(seen.workers.at(pid).contains(0) && seen.workers.at(pid).contains(2));
}

TEST(Breakdown, AccountsForTheWallTime) {
  const Scratch scratch;
  const auto ended = podium(run_of(scratch, {"--verbose"}));
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  const auto spent = record::spent_from(runs[0].provenance.at("spent"));
  const double wall = runs[0].provenance.at("wall_seconds").get<double>();
  EXPECT_LE(spent.sum(), wall);
  EXPECT_GT(spent.sum(), 0.8 * wall) << ended.err;
  std::int64_t samples = 0;
  double calls = 0;
  for (const auto& entry : runs[0].entries) {
    samples += static_cast<std::int64_t>(entry.seeds.size());
    for (const double time : entry.microseconds) calls += time * 1e-6;
  }
  EXPECT_GE(spent.samples, samples);  // those of the empty contestant beside
  EXPECT_GE(spent.calls, 0.99 * calls);
  for (const double part : {spent.copy_rate, spent.starts, spent.warm_ups, spent.columns, spent.fills,
                            spent.checks, spent.waits, spent.canaries})
    EXPECT_GT(part, 0);
  EXPECT_NE(ended.err.find("fills"), std::string::npos) << ended.err;
}

// Where nothing holds them, they wake themselves and write into the arena: whoever is struck by that is
// measured again without them, and who was seen to have run loses its row.
TEST(Parked, NobodyIsBlamedForWhatOthersDidInTheirSleep) {
  setenv("PODIUM_SANDBOX_WITHOUT", "held while parked", 1);
  const Scratch scratch;
  const auto ended = podium({"run", "parked", "--problems", source_dir() + "/tests/cheats", "--device",
                             "host", "--quick", "--rounds", "3", "--results", scratch.results().string()});
  unsetenv("PODIUM_SANDBOX_WITHOUT");
  int honest = 0, excused = 0;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  for (const auto& entry : runs[0].entries) {
    excused += !entry.excused.empty();
    if (entry.contestant == "honest") {
      EXPECT_EQ(entry.verdict.word(), "right") << entry.text;
      honest += entry.round >= 0;
    } else if (entry.verdict.word() != "right") {
      EXPECT_EQ(entry.verdict.word(), "ran while parked") << entry.contestant << ": " << entry.text;
    }
  }
  EXPECT_EQ(honest, 2 * 3) << "with its twin, rounds";
  EXPECT_LE(excused, 1) << "an excuse a board";
}

}  // namespace
}  // namespace podium::test
