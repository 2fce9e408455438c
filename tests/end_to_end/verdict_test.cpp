// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that cheat or err get the verdict their files expect, and the honest are still ranked. Files:
// tests/{cheats,wrong,honest}/<problem>/NAME, each with a line `// expect: verdict` (several: `a | b`).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

const std::string device = std::getenv("PODIUM_TEST_DEVICE") ? std::getenv("PODIUM_TEST_DEVICE") : "host";
const std::string backend = device.substr(0, device.find(':'));

struct Subject {
  fs::path file;
  std::string name;
  std::vector<std::string> expected;
};

bool runs_here(const std::string& file) {
  if (file.ends_with(".gpu.cpp")) return true;
  if (file.ends_with(".cu")) return backend == "cuda";
  if (file.ends_with(".hip")) return backend == "hip";
  return file.ends_with(".cpp") && backend == "host";
}

std::string trimmed(std::string text) {
  text.erase(0, text.find_first_not_of(' '));
  text.erase(text.find_last_not_of(" \r") + 1);
  return text;
}

std::vector<Subject> subjects(const fs::path& folder) {
  std::vector<Subject> all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename();
    if (!runs_here(file)) continue;
    Subject subject{entry.path(), file.substr(0, file.find('.')), {}};
    std::ifstream in(entry.path());
    const std::string mark = "// expect:";
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(mark)) {
        std::istringstream verdicts(line.substr(mark.size()));
        for (std::string verdict; std::getline(verdicts, verdict, '|');)
          subject.expected.push_back(trimmed(verdict));
      }
    if (!subject.expected.empty()) all.push_back(subject);
  }
  return all;
}

// The honest are ranked among themselves, whoever cheated beside them; no cheat has a rank.
void expect_ranks(const Scratch& scratch, const std::vector<Subject>& cheats) {
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(scratch.results()))
    if (entry.path().filename() == "report.json") file = entry.path();
  const auto report = nlohmann::json::parse(std::ifstream(file));
  std::set<std::string> ranked;
  for (const auto& board : report.at("boards"))
    for (const auto& row : board.at("rows"))
      if (!row.at("rank").is_null()) ranked.insert(row.at("contestant"));
  const std::string baseline = backend == "host" ? "threads" : "cub";
  EXPECT_TRUE(ranked.contains(baseline)) << baseline << " has no rank";
  for (const auto& cheat : cheats) EXPECT_FALSE(ranked.contains(cheat.name)) << cheat.name << " was ranked";
}

struct Verdicts : testing::TestWithParam<std::pair<std::string, std::string>> {};  // kind, problem

TEST_P(Verdicts, AreThoseExpected) {
  const auto& [kind, problem] = GetParam();
  const auto all = subjects(fs::path(PODIUM_SOURCE_DIR) / "tests" / kind / problem);
  if (all.empty()) GTEST_SKIP() << "none of these run on " << backend;
  const Scratch scratch;
  std::vector<std::string> arguments = {"run",
                                        problem,
                                        "--device",
                                        device,
                                        "--quick",
                                        "--rounds",
                                        kind == "cheats" ? "7" : "1",  // with 7 there are ranks
                                        "--timeout",
                                        "4",
                                        "--results",
                                        scratch.results().string()};
  for (const auto& subject : all) arguments.insert(arguments.end(), {"--contestant", subject.file.string()});
  const auto ended = podium(arguments);
  constexpr int no_device = 3;
  if (ended.status == no_device && backend != "host") GTEST_SKIP() << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u) << ended.err;
  const bool all_right = kind == "honest";
  EXPECT_EQ(ended.status, all_right ? 0 : 1) << ended.err;
  for (const auto& subject : all) {
    std::map<std::string, std::string> got;  // verdict -> evidence
    bool ahead = false;                      // right where its answer takes long enough to be caught
    for (const auto& entry : runs[0].entries) {
      if (entry.contestant != subject.name) continue;
      got.emplace(entry.verdict, entry.text);
      ahead = ahead || (entry.verdict == "right" && entry.workload != "n=1" && entry.workload != "n=2");
    }
    std::string list;
    for (const auto& [verdict, text] : got) list += verdict + ": " + text + "\n";
    const bool right = subject.expected == std::vector<std::string>{"right"};
    const bool met = std::any_of(subject.expected.begin(), subject.expected.end(),
                                 [&](const auto& v) { return got.contains(v); });
    EXPECT_TRUE(met) << kind << '/' << problem << '/' << subject.name << " got\n" << list;
    // One that prepares its answer ahead must never get away with it, not even once. Of one or two elements
    // the answer is made in the nanoseconds in which the threads of a process wake up one after the other.
    if (subject.name.starts_with("watching")) {
      EXPECT_FALSE(ahead) << subject.name << " got\n" << list;
    }
    if (right) {
      EXPECT_EQ(got.size(), 1u) << subject.name << " got\n" << list;
    }
  }
  const auto honest =  // whatever the baseline is called here
      std::count_if(runs[0].entries.begin(), runs[0].entries.end(), [&](const record::Entry& e) {
        return e.round >= 0 && e.verdict == "right" &&
               std::none_of(all.begin(), all.end(), [&](const auto& s) { return s.name == e.contestant; });
      });
  EXPECT_GE(honest, 2) << "the baseline was not measured beside them\n" << ended.out;
  if (kind == "cheats") expect_ranks(scratch, all);
}

std::vector<std::pair<std::string, std::string>> folders() {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string kind : {"cheats", "wrong", "honest"}) {
    const auto folder = fs::path(PODIUM_SOURCE_DIR) / "tests" / kind;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_directory()) all.emplace_back(kind, entry.path().filename());
  }
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Files, Verdicts, testing::ValuesIn(folders()),
                         [](const auto& info) { return info.param.first + "_" + info.param.second; });

}  // namespace
}  // namespace podium::test
