// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run --resume`, as a user runs it: what was finished is kept, what is missing or has changed is
// measured.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>
#include <tuple>

#include "suite/base/file_text.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/schema.hpp"
#include "suite/record/sources.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/json_schema.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

// Three contestants of a problem whose run takes about a second: `loop` is the baseline, `one_off` is wrong.
class Resume : public testing::Test {
 protected:
  Resume() {
    fs::create_directories(scratch_.path() / "problems");
    fs::copy(source_dir() + "/tests/faults/problems/doubling", problem());
  }
  fs::path problem() const { return scratch_.path() / "problems/doubling"; }
  std::vector<std::string> at_problems(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--problems", (scratch_.path() / "problems").string(), "--quiet"});
    return arguments;
  }
  std::vector<std::string> begin() const {
    return at_problems({"run", "doubling", "--device", "host", "--quick", "--rounds", "3", "--cold-only",
                        "--results", scratch_.results().string()});
  }
  void run_once() const {
    const Ended first = podium(begin());
    ASSERT_EQ(first.status, 1) << first.err;  // one contestant is wrong
  }
  Ended resume() const { return podium(at_problems({"run", "--resume", folder().string()})); }
  fs::path folder() const {
    if (!fs::exists(scratch_.results())) return {};
    for (const auto& file : fs::recursive_directory_iterator(scratch_.results()))
      if (file.path().filename() == "run.json") return file.path().parent_path();
    return {};
  }
  std::string recorded() const {
    if (!fs::exists(scratch_.results())) return "";
    const fs::path run = folder();
    return run.empty() ? "" : text_of(run / "entries.jsonl");
  }
  void kill_after(int entries) {
    Command command(begin());
    while (command.running() && std::ranges::count(recorded(), '\n') < entries)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(command.pid(), SIGKILL);
    command.wait();
  }
  void append(const fs::path& file, const std::string& text) const {
    std::ofstream(file, std::ios::app) << text;
  }
  // Keeps every line of `before`, but for what marks it as set aside.
  void expect_kept(const std::string& before) const {
    std::istringstream old(before), now(recorded());
    for (std::string line, kept; std::getline(old, line);) {
      ASSERT_TRUE(std::getline(now, kept));
      auto entry = nlohmann::json::parse(kept);
      entry.erase("set_aside");
      auto expected = nlohmann::json::parse(line);
      expected.erase("set_aside");
      EXPECT_EQ(entry, expected);
    }
  }
  record::Run run() const { return record::read(folder()); }
  // Every contestant verified once, every round of both and of the twin once, and nothing twice.
  void expect_whole(const record::Run& run) const {
    std::map<std::string, int> seen;
    for (const record::Entry& entry : run.entries)
      ++seen[fmt::format("{}{} {} {}", entry.contestant, entry.twin ? "+" : "", entry.round, entry.workload)];
    for (const auto& [what, times] : seen) EXPECT_EQ(times, 1) << what;
    EXPECT_EQ(run.entries.size(), 5U + 9U);
    EXPECT_GT(record::provenance_from(run.provenance).wall_seconds, 0);
  }

  Scratch scratch_;
};

TEST_F(Resume, AfterAKillAnywhereWhatIsMissingIsMeasured) {
  for (const int entries : {0, 1, 3, 5, 7, 9, 12}) {
    fs::remove_all(scratch_.results());
    kill_after(entries);
    const std::string before = recorded();
    if (before.empty() && folder().empty()) continue;                  // killed before there was a run
    append(folder() / "entries.jsonl", "{\"blocking\": false, \"by");  // as after a power cut
    const Ended ended = resume();
    EXPECT_EQ(ended.status, 1) << ended.err;  // one contestant is wrong
    expect_kept(before.substr(0, before.rfind('\n') + 1));
    expect_whole(run());
    const auto provenance = record::provenance_from(run().provenance);
    ASSERT_EQ(provenance.segments.size(), 2U);
    EXPECT_EQ(provenance.segments[0].order_seed, 0U) << "it went with the process";
    EXPECT_NE(provenance.segments[1].order_seed, 0U);
    for (const record::Entry& entry : run().entries) {
      const bool has_seeds = entry.segment == 1 && entry.verdict == Verdict::right;
      EXPECT_TRUE(!has_seeds || !entry.seeds.empty());
    }
    const Ended again = resume();
    EXPECT_EQ(again.status, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("the run is complete"));
    EXPECT_EQ(podium({"report", folder().string()}).status, 0);
  }
}

TEST_F(Resume, AChangedContestantAloneIsMeasuredAgain) {
  ASSERT_NO_FATAL_FAILURE(run_once());
  const std::string before = recorded();
  append(problem() / "half_millisecond.cpp", "// changed\n");
  ASSERT_EQ(resume().status, 1);
  expect_kept(before);
  const record::Run all = run();
  for (const record::Entry& entry : all.entries)
    if (entry.segment == 1) {
      EXPECT_NE(entry.contestant, "one_off");
      EXPECT_EQ(entry.series, 1);
      EXPECT_TRUE(entry.round >= 0 || entry.contestant == "half_millisecond") << "the baseline is verified";
    }
  EXPECT_FALSE(all.set_aside.empty());
  EXPECT_THAT(text_of(folder() / "report.md"), HasSubstr("the contestant has changed since"));
  for (const record::Entry& entry : all.set_aside) {
    EXPECT_EQ(entry.contestant, "half_millisecond");
    EXPECT_EQ(entry.segment, 0);
  }
  const auto provenance = record::provenance_from(all.provenance);
  ASSERT_EQ(provenance.boards.size(), 2U);
  ASSERT_EQ(provenance.segments.at(1).replaced.size(), 1U);
  const auto sources = record::read_sources(all.folder, provenance);
  EXPECT_EQ(sources.size(), 5U) << "three contestants, the problem, and the contestant before its change";
  EXPECT_EQ(sources.at(provenance.segments[1].replaced[0].sha256).file, "half_millisecond.cpp");
  EXPECT_THAT(resume().out, HasSubstr("nothing is left to measure"));
}

// They follow those on record, which stay.
TEST_F(Resume, MoreRoundsAreMeasuredIfAskedFor) {
  ASSERT_NO_FATAL_FAILURE(run_once());
  const std::string before = recorded();
  const auto with_rounds = [&](const char* rounds) {
    return podium(at_problems({"run", "--resume", folder().string(), "--rounds", rounds}));
  };
  EXPECT_EQ(with_rounds("5").status, 1);  // one contestant is wrong
  expect_kept(before);
  EXPECT_EQ(run().provenance.at("rounds"), 5);
  std::map<int, int> entries;
  for (const record::Entry& entry : run().entries) ++entries[entry.round];
  EXPECT_EQ(entries, (std::map<int, int>{{-1, 5}, {0, 3}, {1, 3}, {2, 3}, {3, 3}, {4, 3}}));
  EXPECT_TRUE(run().set_aside.empty());
  EXPECT_THAT(with_rounds("5").out, HasSubstr("the run is complete"));
  const Ended fewer = with_rounds("4");
  EXPECT_EQ(fewer.status, 2);
  EXPECT_THAT(fewer.err, HasSubstr("--rounds 4: the run was planned with 5 rounds"));
}

TEST_F(Resume, AFileThatAContestantIncludesIsPartOfIt) {
  append(problem() / "helper.hpp", "#pragma once\n");
  append(problem() / "unused.hpp", "#pragma once\n");
  append(problem() / "half_millisecond.cpp", "#include \"helper.hpp\"\n");
  ASSERT_NO_FATAL_FAILURE(run_once());
  EXPECT_EQ(record::read_sources(folder(), record::provenance_from(run().provenance)).size(), 5U)
      << "unused.hpp is not named";
  append(problem() / "unused.hpp", "// changed\n");
  EXPECT_THAT(resume().out, HasSubstr("nothing is left to measure"));
  append(problem() / "helper.hpp", "// changed\n");
  EXPECT_EQ(resume().status, 1);
  EXPECT_EQ(record::provenance_from(run().provenance).segments.at(1).replaced.at(0).name, "half_millisecond");
}

TEST_F(Resume, WhatDoesNotFitIsRefusedInASentence) {
  ASSERT_NO_FATAL_FAILURE(run_once());
  const auto refused = [&](const std::string& sentence) {
    const Ended ended = resume();
    EXPECT_EQ(ended.status, 2);
    EXPECT_THAT(ended.err, HasSubstr(sentence));
  };
  const auto with = [&](const std::string& pointer, const nlohmann::json& value) {
    auto json = record::read_provenance(folder());
    const auto before = json;
    json[nlohmann::json::json_pointer(pointer)] = value;
    record::write_file(folder() / "run.json", json.dump(2));
    return before.dump(2);
  };
  // Something is left to do in each of these.
  append(problem() / "half_millisecond.cpp", "// changed\n");
  for (const auto& [pointer, value, sentence] :
       {std::tuple{"/device/product", "Another CPU", "begun with the device another-x86-64"},
        std::tuple{"/driver", "another driver", "begun with the driver another driver"},
        std::tuple{"/compilers/0/version", "GCC 1", "begun with the compilers GCC 1"}}) {
    const std::string before = with(pointer, value);
    refused(sentence);
    record::write_file(folder() / "run.json", before);
  }
  append(problem() / "problem.yaml", "# changed\n");
  refused("the problem has changed since the run began");
  auto json = record::read_provenance(folder());
  json["schema"] = 1;
  record::write_file(folder() / "run.json", json.dump(2));
  refused("an older Podium recorded this run (schema 1)");
  EXPECT_EQ(podium({"run", "--resume", (scratch_.path() / "nowhere").string()}).status, 2);
  EXPECT_NE(podium(at_problems({"run", "--resume", folder().string(), "--quick"})).status, 0);
}

TEST_F(Resume, ARunThatAnotherProcessWritesIsLeftAlone) {
  Command running(begin());
  while (running.running() && recorded().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const Ended second = resume();
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.err, HasSubstr("another podium writes this run"));
  EXPECT_EQ(running.wait().status, 1);
  expect_whole(run());
}

TEST_F(Resume, ARunThatASignalEndedGoesOn) {
  {
    Command command(begin());
    while (command.running() && std::ranges::count(recorded(), '\n') < 7)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    kill(command.pid(), SIGTERM);
    command.wait();
  }
  const auto before = record::provenance_from(run().provenance);
  EXPECT_NE(before.ended, "");
  EXPECT_EQ(resume().status, 1);
  expect_whole(run());
  const auto after = record::provenance_from(run().provenance);
  EXPECT_EQ(after.ended, "");
  EXPECT_EQ(after.segments.at(0).ended, before.ended);
  EXPECT_EQ(after.secrets.size(), 4U);
  struct stat folder_is{};
  ASSERT_EQ(stat(folder().c_str(), &folder_is), 0);
  EXPECT_EQ(folder_is.st_mode & 0755, 0755U) << "open to others again";
}

#ifdef PODIUM_HAS_VALIJSON
TEST_F(Resume, WhatIsWrittenKeepsToTheSchemas) {
  const JsonSchema of_run(record::schema_of(record::run_forms(), "run")),
      of_entry(record::schema_of(record::entry_forms(), "entry"));
  const auto hold = [&] {
    EXPECT_EQ(of_run.held_against(record::read_provenance(folder())), "");
    for (const auto& line : record::read_lines(folder())) EXPECT_EQ(of_entry.held_against(line), "");
  };
  kill_after(6);
  hold();
  EXPECT_EQ(resume().status, 1);
  hold();
  append(problem() / "half_millisecond.cpp", "// changed\n");
  EXPECT_EQ(resume().status, 1);
  hold();
  for (const char* of : {"run", "entry"}) EXPECT_EQ(podium({"schema", of}).out.substr(0, 1), "{") << of;
}
#endif

}  // namespace
}  // namespace podium::test
