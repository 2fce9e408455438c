// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// No problem in kernels/ lets a contestant pass that is wrong in a general way.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/end_to_end/command.hpp"
#include "tests/general_mistakes/examine.hpp"

namespace podium::mistakes {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const auto& line : lines) all += line + "\n";
  return all;
}

class GeneralMistakes : public testing::TestWithParam<std::string> {};

TEST_P(GeneralMistakes, AreRejected) {
  const test::Scratch scratch;
  const Report report = examine(fs::path(PODIUM_SOURCE_DIR) / "kernels" / GetParam(), scratch.path());
  std::cout << joined(report.lines);
  EXPECT_TRUE(report.faults.empty()) << joined(report.faults);
}

std::vector<std::string> problems() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(fs::path(PODIUM_SOURCE_DIR) / "kernels"))
    if (fs::exists(entry.path() / "problem.yaml")) all.push_back(entry.path().filename());
  std::sort(all.begin(), all.end());
  return all;
}
INSTANTIATE_TEST_SUITE_P(Kernels, GeneralMistakes, testing::ValuesIn(problems()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace podium::mistakes
