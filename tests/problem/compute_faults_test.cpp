// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every mistake of a `compute` text at once, and nothing that merely follows from another.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "suite/problem/compute/compute.hpp"

namespace podium::problem {
namespace {

ComputeNames names() {
  ComputeNames names;
  names.numbers = {{"n", false}, {"scale", true}};
  names.structure = {{"length", {1, false}}};
  names.out = {1, false};
  return names;
}

TEST(ComputeFaults, AreNamedInOnePass) {
  // Sentences up to what was expected.
  const auto faults = [](const std::string& text) {
    std::string all;
    for (const ComputeError& fault : faults_of_compute({text, {"p.yaml", 10}}, names())) {
      const std::string sentence = fault.what();
      all += fmt::format("{}{}: {}", all.empty() ? "" : " | ", fault.at().line,
                         sentence.substr(0, sentence.find(", expected")));
    }
    return all;
  };
  const std::string unknown = "unknown name: found ";
  EXPECT_EQ(faults("out(0) = 1;"), "");
  EXPECT_EQ(faults("out(0) = foo;\nout(1) = bar(3, foo);"),
            "10: " + unknown + "\"foo\" | 11: unknown function: found \"bar\" | 11: " + unknown + "\"foo\"");
  EXPECT_EQ(faults("out(0) = foo + sqt(2) * random.bellow(3);"),
            "10: " + unknown +
                "\"foo\" | 10: unknown function: found \"sqt\" | 10: unknown function of random: found "
                "\"bellow\"");
  EXPECT_EQ(
      faults("out(0, 1) = 2;\nout(0) = sqrt(1, 2);\nbreak;\nfoo = 3;\nfoo += 3;"),
      "10: found out with 2 indices | 11: found sqrt with 2 arguments | 12: found \"break\" outside of a "
      "loop | 13: " +
          unknown + "\"foo\" | 14: " + unknown + "\"foo\"");
  EXPECT_EQ(faults("}\nout(0) = foo;"), "10: found \"}\" | 11: " + unknown + "\"foo\"");
  EXPECT_EQ(faults("{ out(0) = foo;"), "10: " + unknown + "\"foo\" | 10: found the end");
  EXPECT_EQ(faults(""), "10: found nothing");
}

TEST(ComputeFaults, LeaveOutWhatFollowsFromAnUnreadableStatement) {
  const auto lines = [](const std::string& text) {
    std::string all;
    for (const ComputeError& fault : faults_of_compute({text, {"p.yaml", 1}}, names()))
      all += fmt::format("{} ", fault.at().line);
    return all;
  };
  EXPECT_EQ(lines("auto a = 3 +;\nout(a) = a;\nout(0) = foo;"), "1 3 ");
  EXPECT_EQ(lines("for (int i = 0; i < 3; ++i) {\nout(i) = 1; }\nout(0) = foo;"), "1 3 ");
  EXPECT_EQ(lines("for (int i = 0; i < 3; ++i)\nout(i) = 1;\nout(0) = foo;"), "1 3 ");
  EXPECT_EQ(lines("for (i : 3) { out(i) = 1 1;\nif (i 2) { out(0) = 1; }\nelse { out(1) = foo; } }\nout(2) = "
                  "bar;"),
            "1 2 3 4 ");
  EXPECT_EQ(lines(std::string(60, '{') + std::string(60, '}') + "\nout(0) = foo;"), "1 2 ");
}

TEST(ComputeFaults, AreTenAtMost) {
  std::string many;
  for (int i = 0; i < 30; ++i) many += fmt::format("out(0) = a{};\n", i);
  const auto faults = faults_of_compute({many, {"p.yaml", 1}}, names());
  EXPECT_EQ(faults.size(), 10u);
  EXPECT_EQ(faults.back().at().line, 10);
}

}  // namespace
}  // namespace podium::problem
