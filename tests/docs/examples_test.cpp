// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every block of YAML in docs/problem.md: filled, evaluated and verified as it says, or refused with the
// sentences that it shows. A few examples that are wrong on purpose show that the test would see it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "tests/docs/held.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::docs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<Example>& examples() {
  static const std::vector<Example> all = examples_of(read_document("docs/problem.md"));
  return all;
}

// Compiles every program once, as many at a time as there are processors.
void compile_all() {
  std::set<std::string> texts;
  for (const Example& example : examples())
    if (!example.refused)
      for (const std::string& text : programs_of(example)) texts.insert(text);
  const std::vector<std::string> list(texts.begin(), texts.end());
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t)
    threads.emplace_back([&] {
      for (std::size_t k; (k = next++) < list.size();) try {
          judge::compile_program(list[k]);
        } catch (const std::exception&) {  // the example that has it will say so
        }
    });
  for (auto& thread : threads) thread.join();
}

TEST(Examples, DoWhatTheySay) {
  compile_all();
  int held = 0;
  for (const Example& example : examples()) {
    if (example.refused) continue;
    EXPECT_THAT(faults_of(example), IsEmpty());
    ++held;
  }
  EXPECT_GT(held, 35) << "found too few examples; does the search still work?";
}

// As a reader sees it: `podium check` in the problem's folder.
TEST(Examples, AreRefusedWithTheSentencesShown) {
  const test::Scratch scratch;
  int refused = 0;
  for (const Example& example : examples()) {
    if (!example.refused) continue;
    scratch.write("example/problem.yaml", example.yaml);
    const auto ended = test::podium({"check", (scratch.path() / "example").string()});
    std::string text = ended.err;
    const std::string path = (scratch.path() / "example/").string();
    for (std::size_t at; (at = text.find(path)) != text.npos;) text.erase(at, path.size());
    EXPECT_EQ(text, example.sentences) << example.place;
    EXPECT_EQ(ended.status, 2) << example.place;
    ++refused;
  }
  EXPECT_GE(refused, 10) << "found too few refused examples; does the search still work?";
}

// Both ways of evaluating an example agree: the command takes what the test above has held to be well.
TEST(Examples, AreTakenByPodiumCheck) {
  const test::Scratch scratch;
  std::vector<std::string> arguments{"check"};
  for (std::size_t k = 0; k < examples().size(); ++k) {
    if (examples()[k].refused) continue;
    const std::string folder = "example_" + std::to_string(k);
    scratch.write(folder + "/problem.yaml", examples()[k].yaml);
    arguments.push_back((scratch.path() / folder).string());
  }
  const auto ended = test::podium(arguments);
  EXPECT_EQ(ended.status, 0) << ended.err;
  std::size_t valid = 0;
  for (std::size_t at = 0; (at = ended.out.find(": valid;", at)) != ended.out.npos; ++at) ++valid;
  EXPECT_EQ(valid, arguments.size() - 1) << ended.err;
}

// ---- that a wrong example is seen

std::vector<std::string> faults_of_block(const std::string& text) {
  Document document{"d.md", {}, {}};
  document.blocks.push_back({"yaml", "", text, "", 1});
  return faults_of(examples_of(document).at(0));
}

const std::string doubled = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: sequence }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference:
  y: { index: [i], value: "2 * x(i)" }
workloads:
  test: [{ n: 4 }]
)y";

TEST(WrongExamples, ArePassedOnlyIfRight) {
  EXPECT_THAT(faults_of_block(doubled + "# x = [0, 1, 2, 3]\n# y = [0, 2, 4, 6]\n# bytes = 32\n"), IsEmpty());
}

TEST(WrongExamples, AreSeen) {
  const auto seen = [](const std::string& statements, const std::string& sentence) {
    EXPECT_THAT(faults_of_block(doubled + statements), ElementsAre(HasSubstr(sentence))) << statements;
  };
  seen("# y = [0, 2, 4, 7]\n", "y[3] is 7, expected 6");
  seen("# y = [0, 2, 4]\n", "found 3 values, expected 4");
  seen("# x = [0, 1, 2, 4]\n# y = [0, 2, 4, 6]\n", "found [0, 1, 2, 3]");
  seen("# bytes = 31\n# y = [0, 2, 4, 6]\n", "found [32]");
  seen("# y = [0, 2, 4, 6]\n# y = [0, 2, 4, 6] is wrong\n", "found otherwise");
  seen("# y = [0, 2, 4, 6]\n# y = [0, 2, 4, 7] is right\n", "found otherwise");
  seen("# y = [0, 2, 4, 6]\n# every x: x > 0\n", "does not hold for 0");
  seen("# y = [0, 2, 4, 6]\n# x(1) == x(2)\n", "does not hold");
  seen("# y = [0, 2, 4, 6]\n# sorted x = [0, 1, 2]\n", "found [0, 1, 2, 3]");
  seen("# y = [0, 2, 4, 6]\n# memory of x = [0, 1, 2, _, 3]\n", "found [0, 1, 2, 3]");
  seen("# y = [0, 2, 4, 6]\n# sample of y = 3\n", "found [4]");
  seen("# y = [0, 2, 4, 6]\n# used of x = 3\n", "found [4]");
  seen("# y = [0, 2, 4, 6]\n# on n=5: bytes = 32\n", "about no test workload");
  seen("# x = [0, 1, 2, 3]\n", "does not say what it gives");
}

TEST(WrongExamples, WhoseToleranceHidesAnErrorAreSeen) {
  std::string loose = doubled;
  loose.replace(loose.find("ulp: 1"), 6, "ulp: 1e8");
  EXPECT_THAT(faults_of_block(loose + "# y = [0, 2, 4, 6]\n"), ElementsAre(HasSubstr("y may be")));
}

TEST(WrongExamples, StatementsThatNobodyUnderstandsAreRefused) {
  EXPECT_THROW(faults_of_block(doubled + "# y is twice x\n"), std::runtime_error);
  EXPECT_THROW(faults_of_block(doubled), std::runtime_error);
}

}  // namespace
}  // namespace podium::docs
