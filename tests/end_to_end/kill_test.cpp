// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// kill -9 of podium, judge and worker at random moments: what was finished is there, nothing is left behind.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using namespace std::chrono_literals;

constexpr int moments = 3;  // tests/faults/kills.py is for more

std::set<std::string> shared_memory() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator("/dev/shm")) names.insert(entry.path().filename());
  return names;
}

struct Kill : testing::TestWithParam<const char*> {
  static std::vector<std::string> arguments(const Scratch& scratch) {
    return {"run",
            "sum",
            "--device",
            "host",
            "--quick",
            "--rounds",
            "2",
            "--results",
            scratch.results().string(),
            "--contestant",
            "naive",
            "serial",
            "threads",
            "two_stage"};
  }
  static void SetUpTestSuite() {  // everything is built before time matters
    const Scratch scratch;
    const auto ended = podium({"build", "sum", "--backend", "host"});
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  static bool alive(pid_t pid) { return kill(pid, 0) == 0; }
};

std::size_t entries_in(const Scratch& scratch) {
  const auto runs = scratch.runs();
  return runs.empty() ? 0 : runs[0].entries.size();
}

// The evidence of the first entry with that verdict; "" if there is none.
std::string evidence_of(const Scratch& scratch, const std::string& verdict) {
  const auto runs = scratch.runs();
  for (const auto& entry : runs.at(0).entries)
    if (entry.verdict.word() == verdict) return entry.contestant + ": " + entry.text;
  return "";
}

TEST_P(Kill, LosesNothingAndLeavesNothing) {
  const std::string victim = GetParam();
  const auto memory = shared_memory();
  std::mt19937 random(std::random_device{}());
  for (int i = 0; i < moments; ++i) {
    const Scratch scratch;
    Command command(arguments(scratch));
    const auto give_up = std::chrono::steady_clock::now() + 60s;
    while (entries_in(scratch) == 0 && command.running() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::sleep_for(2ms);
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution<int>(0, 1500)(random)));
    ASSERT_TRUE(command.running()) << "it had ended before it could be killed";
    std::vector<pid_t> targets;
    while (targets.empty() && command.running())
      targets = victim == "podium" ? std::vector{command.pid()} : command.processes(victim);
    ASSERT_FALSE(targets.empty());
    const auto family = command.children();
    const auto before = entries_in(scratch);
    ASSERT_GT(before, 0u);
    kill(targets[0], SIGKILL);
    const auto ended = command.wait();
    EXPECT_GE(entries_in(scratch), before) << "finished entries were lost";
    if (victim == "podium") {
      EXPECT_EQ(ended.status, 128 + SIGKILL);
    } else {  // the run goes on without the one that was hit
      EXPECT_TRUE(ended.status == 1 || ended.status == 0) << ended.status << ended.err;
      EXPECT_NE(ended.out.find("threads"), std::string::npos) << ended.out << ended.err;
      if (victim == "podium-worker") {
        EXPECT_EQ(evidence_of(scratch, "device lost"), "");
      }
    }
    bool gone = false;
    for (int wait = 0; wait < 500 && !gone; ++wait) {
      gone = std::none_of(family.begin(), family.end(), alive);
      if (!gone) std::this_thread::sleep_for(10ms);
    }
    EXPECT_TRUE(gone) << "a process was left behind";
  }
  EXPECT_EQ(shared_memory(), memory);
}

// Between verification and the first round no contestant is on turn, only the trusted empty one: whoever is
// hit there is replaced, and no contestant is blamed.
TEST_P(Kill, BetweenContestantsNobodyIsBlamed) {
  const std::string victim = GetParam();
  if (victim == "podium") return;
  const Scratch scratch;
  Command command(arguments(scratch));
  const auto give_up = std::chrono::steady_clock::now() + 60s;
  const auto all_verified = [&] {
    const auto runs = scratch.runs();
    std::map<std::string, int> tests;  // by contestant
    if (!runs.empty())
      for (const auto& entry : runs[0].entries) ++tests[entry.contestant];
    return tests.size() == 4 && std::all_of(tests.begin(), tests.end(), [&](const auto& one) {
             return one.second == tests.begin()->second;
           });
  };
  while (!all_verified() && command.running() && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(command.running());
  std::this_thread::sleep_for(20ms);  // the last contestant's worker is released
  std::vector<pid_t> targets;
  while (targets.empty() && command.running()) targets = command.processes(victim);
  ASSERT_FALSE(targets.empty());
  kill(targets[0], SIGKILL);
  const auto ended = command.wait();
  EXPECT_EQ(ended.status, 0) << ended.out << ended.err;
  const auto runs = scratch.runs();
  for (const auto& entry : runs.at(0).entries)
    EXPECT_EQ(entry.verdict.word(), "right") << entry.contestant << ": " << entry.text;
}
INSTANTIATE_TEST_SUITE_P(Victims, Kill, testing::Values("podium", "podium-judge", "podium-worker"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace podium::test
