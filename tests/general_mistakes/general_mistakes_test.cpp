// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// No problem in kernels/ lets a contestant pass that is wrong in a general way.
#include <gtest/gtest.h>

#include <iostream>

#include "tests/end_to_end/command.hpp"
#include "tests/general_mistakes/examine.hpp"
#include "tests/general_mistakes/kernels.hpp"

namespace podium::mistakes {
namespace {

class GeneralMistakes : public testing::TestWithParam<std::string> {};

TEST_P(GeneralMistakes, AreRejected) {
  const test::Scratch scratch;
  const Report report = examine(kernels() / GetParam(), scratch.path());
  std::cout << joined(report.lines);
  EXPECT_TRUE(report.faults.empty()) << joined(report.faults);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GeneralMistakes, testing::ValuesIn(problems()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace podium::mistakes
