// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What of a run can be read while it works, and by whom: results lie where a worker's own /tmp does not hide
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string cheats = (fs::path(source_dir()) / "tests/cheats").string();

class Secrets : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::current_path() / "podium-secrets-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    results_ = pattern;
  }
  void TearDown() override {
    unsetenv("PODIUM_SANDBOX_WITHOUT");
    fs::remove_all(results_);
  }
  std::vector<std::string> run(const std::vector<std::string>& more) const {
    std::vector<std::string> all{"run",        "total", "--device",  "host",  "--quick",
                                 "--problems", cheats,  "--results", results_};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  fs::path folder() const {  // of the run; "": there is none yet
    for (const auto& entry : fs::recursive_directory_iterator(results_))
      if (entry.path().filename() == "run.json") return entry.path().parent_path();  // made last
    return {};
  }
  static std::string text(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path results_;
};

// With all that the machine grants, and where workers see all files.
TEST_F(Secrets, ARunningRunTellsItsContestantsNothing) {
  for (const char* without :
       {"", "mount namespace,hidden processes", "uid,mount namespace,hidden processes"}) {
    setenv("PODIUM_SANDBOX_WITHOUT", without, 1);
    const auto ended = podium(run({"--rounds", "2", "--contestant", "reads_seeds"}));
    EXPECT_EQ(ended.status, 0) << without << '\n' << ended.out << ended.err;
  }
}

// What was interrupted is a whole record, with its seeds; what was killed keeps its entries.
TEST_F(Secrets, AreRevealedWhenTheRunHasEnded) {
  for (const int signal : {SIGINT, SIGKILL}) {
    Command command(run({"--rounds", "1000", "--contestant", "honest_serial"}));
    const auto timed = [&] {
      const auto at = folder();
      return !at.empty() && record::read(at).entries.size() > 6;
    };
    while (command.running() && !timed()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const auto at = folder();
    ASSERT_FALSE(at.empty());
    EXPECT_THAT(text(at / "entries.jsonl"), Not(HasSubstr("\"seeds\":[\"")));
    EXPECT_THAT(text(at / "run.json"), Not(HasSubstr("order_seed")));
    EXPECT_EQ(fs::status(at).permissions(), fs::perms::owner_all);
    const auto before = record::read(at).entries;
    kill(command.pid(), signal);
    command.wait();
    const auto after = record::read(at);
    ASSERT_GE(after.entries.size(), before.size());
    for (std::size_t k = 0; k < after.entries.size(); ++k)
      EXPECT_EQ(after.entries[k].seeds.empty(), signal == SIGKILL) << k;
    for (std::size_t k = 0; k < before.size(); ++k)
      EXPECT_EQ(before[k].microseconds, after.entries[k].microseconds);
    EXPECT_EQ(after.provenance.at("secrets").empty(), signal == SIGKILL);
    EXPECT_EQ(after.provenance.contains("order_seed"), signal == SIGINT);
    fs::remove_all(at);
  }
}

}  // namespace
}  // namespace podium::test
