// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/workflows: the commands of each file, run in a clone as its runner runs them, with stand-ins for what
// only a host of repositories has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "suite/base/file_text.hpp"
#include "suite/record/record.hpp"
#include "tests/docs/follow.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr char problem[] = R"yaml(podium: 1
title: Twice
axes: [n]
types: { real: [f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: normal }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 1, growth: 0 } }
reference: { y: { index: [i], value: "2 * x(i)"
}
}
workloads: { test: [{ n: 7 }], quick: [{ n: 1000 }], bench: [{ n: 1000 }] }
baseline: { host: plain }
)yaml";

std::string contestant(const std::string& factor) {
  return "// podium: { title: A loop }\n#include <podium/twice.hpp>\nnamespace {\nstruct Contestant {\n"
         "  void run(const problem::Arguments& a, podium::Stream) {\n"
         "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = " +
         factor + " * a.x(i);\n  }\n};\n}  // namespace\n";
}

YAML::Node workflow(const std::string& name) {
  return YAML::LoadFile(test::source_dir() + "/docs/workflows/" + name);
}

// The commands of a job on GitHub, in order. A step that only another one's success leads to is left out
// where `after_failure`.
std::vector<std::string> github_steps(const YAML::Node& job, bool after_failure) {
  std::vector<std::string> commands;
  bool failed = false;
  for (const auto& step : job["steps"]) {
    if (!step["run"]) continue;
    if (failed && !step["if"]) continue;
    commands.push_back(step["run"].as<std::string>());
    failed = after_failure;
  }
  return commands;
}

// A clone whose origin has two problems on `main`, and whose own branch changes one of them.
class Clone {
 public:
  explicit Clone(const std::string& changed) {
    const std::string source = test::source_dir();
    for (const char* script : {"regressions", "common.sh"})
      fs::copy(source + "/scripts/" + script, at("scripts"));
    for (const char* name : {"twice", "other"}) {
      fs::create_directories(at("kernels") / name);
      write(at("kernels") / name / "problem.yaml", problem);
    }
    write(at("kernels/twice/plain.cpp"), contestant("2"));
    write(at("kernels/twice/second.cpp"), contestant("2.0f"));
    write(at("tools/gh"), "#!/bin/sh\necho \"gh $*\"\n");
    fs::permissions(at("tools/gh"), fs::perms::owner_all);
    expect(0,
           "printf '/steps\\n/tools\\n/results\\n/runs\\n/summary.md\\n/shown.md\\n' >.gitignore\n"
           "git init -q -b main . && git add -A && git commit -q -m base\n"
           "git update-ref refs/remotes/origin/main HEAD && git checkout -q -b change");
    if (changed.empty()) return;
    write(at("kernels/twice/second.cpp"), changed);
    expect(0, "git commit -q -a -m change");
  }

  std::string expect(int status, const std::string& commands) const {
    const Checkout::Ran ran = checkout_.run(environment + commands);
    EXPECT_EQ(ran.status, status) << commands << "\n" << ran.output;
    return ran.output;
  }
  fs::path at(const std::string& file) const { return checkout_.path() / file; }

  // The results of this tree as they are committed, and what unpacks them. A stand-in installs no packages.
  void add_results() const {
    const fs::path source = test::source_dir();
    fs::copy(source / "scripts/evidence", at("scripts"));
    write(at("scripts/setup"), "#!/bin/sh\n[ \"$*\" = --publish ]\n");
    fs::permissions(at("scripts/setup"), fs::perms::owner_all);
    for (const auto& device : fs::directory_iterator(source / "results"))
      for (const char* name : {"runs.tar.xz", "calibration.json"})
        if (const fs::path file = device.path() / name; fs::exists(file)) {
          const fs::path folder = at("results") / device.path().filename();
          fs::create_directories(folder);
          fs::copy(file, folder);
        }
  }

 private:
  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  static constexpr char environment[] =
      "export HOME=$PWD GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
      "GIT_COMMITTER_EMAIL=a@b PATH=$PWD/tools:$PATH\n"
      "export GITHUB_BASE_REF=main GITHUB_STEP_SUMMARY=$PWD/shown.md PULL_REQUEST=7\n"
      "export CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git rev-parse -q --verify origin/main 2>/dev/null || true)\n";
  Checkout checkout_;
};

TEST(Workflows, GitHubFailsAChangeThatBreaksAKernel) {
  const Clone clone(contestant("3"));
  const auto steps = github_steps(workflow("github_regressions.yml")["jobs"]["compare"], true);
  ASSERT_EQ(steps.size(), 3U);
  const std::string measured = clone.expect(1, steps[0]);
  EXPECT_THAT(measured, AllOf(HasSubstr("fails: wrong"), Not(HasSubstr("other"))));
  clone.expect(0, steps[1]);
  EXPECT_THAT(text_of(clone.at("shown.md")),
              AllOf(AllOf(testing::StartsWith("### Podium: "), HasSubstr("1 fails")),
                    HasSubstr("| fails: wrong: y\\["), HasSubstr("Before: the kernels of ")));
  EXPECT_THAT(clone.expect(0, steps[2]), HasSubstr("gh pr comment 7 "));
  EXPECT_TRUE(fs::is_directory(clone.at("runs/base"))) << "which the workflow uploads";
}

TEST(Workflows, GitHubPassesAChangeWithoutKernels) {
  const Clone clone("");
  const auto steps = github_steps(workflow("github_regressions.yml")["jobs"]["compare"], false);
  EXPECT_THAT(clone.expect(0, steps[0]), HasSubstr("no problem of kernels/ differs from origin/main"));
  clone.expect(0, steps[1]);
  EXPECT_THAT(text_of(clone.at("shown.md")), HasSubstr("no problem of kernels/ differs"));
}

TEST(Workflows, GitLabFailsAChangeThatBreaksAKernel) {
  const Clone clone(contestant("3"));
  const YAML::Node job = workflow("gitlab-ci.yml")["regressions"];
  ASSERT_EQ(job["script"].size(), 1U);
  clone.expect(1, job["script"][0].as<std::string>());
  EXPECT_THAT(clone.expect(0, job["after_script"][0].as<std::string>()),
              AllOf(testing::StartsWith("### Podium: "), HasSubstr("1 fails")));
}

// Where `scripts/setup --publish` has installed what makes pages; "" where it was not run.
std::string publish_prefix() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  std::vector<fs::path> prefixes{"/opt/podium", variable("HOME") / ".local/share/podium"};
  if (const fs::path given = variable("PODIUM_PREFIX"); !given.empty()) prefixes = {given};
  for (const fs::path& prefix : prefixes)
    if (fs::exists(prefix / "publish/bin/python3")) return prefix;
  return "";
}

// Runs the commands of a job that publishes, and looks into the folder that the host takes.
void expect_published(const std::vector<std::string>& commands, const std::string& folder) {
  const std::string prefix = publish_prefix();
  if (prefix.empty() && !std::getenv("PODIUM_TEST_SITE"))
    GTEST_SKIP() << "needs what scripts/setup --publish installs";
  const Clone clone("");
  clone.add_results();
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(clone.expect(0, commands[0]), "") << "the stand-in";
  const std::string unpacked = clone.expect(0, commands[1]);
  clone.expect(0, "export PODIUM_PREFIX='" + prefix + "'\n" + commands[2]);
  int archives = 0, runs = 0, pages = 0;
  for (const auto& device : fs::directory_iterator(clone.at("results"))) {
    archives += fs::exists(device.path() / "runs.tar.xz");
    for (const auto& run : fs::directory_iterator(device)) runs += fs::exists(run.path() / "entries.jsonl");
  }
  EXPECT_EQ(std::ranges::count(unpacked, '\n'), archives) << unpacked;
  ASSERT_TRUE(fs::exists(clone.at(folder) / "index.html"));
  EXPECT_THAT(text_of(clone.at(folder) / "index.html"),
              AllOf(HasSubstr("NVIDIA H200 (sm_90)"), HasSubstr("attention_prefill")));
  for (const auto& file : fs::directory_iterator(clone.at(folder) / "run"))
    pages += file.path().extension() == ".html";
  EXPECT_EQ(pages, runs) << "each run has a page";
  EXPECT_GT(runs, 10);
}

TEST(Workflows, GitHubPublishesTheCommittedResults) {
  const YAML::Node job = workflow("github_pages.yml")["jobs"]["publish"];
  std::string folder;
  for (const auto& step : job["steps"])
    if (step["uses"].as<std::string>("").starts_with("actions/upload-pages-artifact@"))
      folder = step["with"]["path"].as<std::string>();
  expect_published(github_steps(job, false), folder);
}

TEST(Workflows, GitLabPublishesTheCommittedResults) {
  const YAML::Node job = workflow("gitlab-ci.yml")["pages"];
  expect_published(job["script"].as<std::vector<std::string>>(),
                   job["artifacts"]["paths"][0].as<std::string>());
}

TEST(Regressions, SaysWhatItWasNotGiven) {
  const Clone clone("");
  EXPECT_THAT(clone.expect(2, "scripts/regressions"), HasSubstr("expected the commit to compare with"));
  EXPECT_THAT(clone.expect(2, "scripts/regressions nowhere"),
              HasSubstr("nowhere is no commit of this checkout"));
  EXPECT_THAT(clone.expect(2, "scripts/regressions --margin"), HasSubstr("--margin needs a value"));
  EXPECT_THAT(clone.expect(2, "scripts/regressions --loud HEAD"), HasSubstr("unknown option --loud"));
  EXPECT_THAT(clone.expect(2, "scripts/regressions --rounds none HEAD"),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(clone.expect(0, "scripts/regressions HEAD third"), HasSubstr("third is new"));
}

// Both versions are measured in turns, each in one run: the drift of the machine touches both alike.
TEST(Regressions, MeasuresInTurns) {
  const Clone clone(contestant("2.00f"));
  clone.expect(0,
               "scripts/regressions --margin 1000 --rounds 5 --results runs origin/main -- --quick "
               "--cold-only --quiet");
  const auto starts = [&](const char* name) {
    std::vector<std::string> all;
    for (const auto& file : fs::recursive_directory_iterator(clone.at("runs") / name)) {
      if (file.path().filename() != "run.json") continue;
      const record::Run run = record::read(file.path().parent_path());
      std::set<int> rounds;
      for (const record::Entry& entry : run.entries) rounds.insert(entry.round);
      EXPECT_EQ(rounds, (std::set{-1, 0, 1, 2, 3, 4})) << name;
      EXPECT_TRUE(run.set_aside.empty()) << name;
      for (const auto& segment : run.provenance.at("segments")) all.push_back(segment.at("started"));
    }
    return all;
  };
  const auto base = starts("base"), change = starts("change");
  ASSERT_EQ(base.size(), 3U);
  ASSERT_EQ(change.size(), 3U);
  const std::vector in_turns{base[0], change[0], change[1], base[1], base[2], change[2]};
  EXPECT_TRUE(std::ranges::is_sorted(in_turns)) << testing::PrintToString(in_turns);
}

// What another problem.yaml asks for has other times.
TEST(Regressions, LeavesOutProblemsThatAskForSomethingElse) {
  const Clone clone("");
  clone.expect(0, "sed -i 's/ulp: 1/ulp: 2/' kernels/twice/problem.yaml && git commit -q -a -m change");
  EXPECT_THAT(clone.expect(0, "scripts/regressions --summary summary.md origin/main"),
              HasSubstr("twice asks for something else than before: origin/main has another "));
  EXPECT_THAT(text_of(clone.at("summary.md")), HasSubstr("Left out: twice asks for something else"));
}

}  // namespace
}  // namespace podium::docs
