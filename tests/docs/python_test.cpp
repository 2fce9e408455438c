// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/python.md and docs/python_reference.md: their files are contestants of the problem in
// docs/contestant.md and problems of their own, and their commands print what they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/docs/follow.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

struct PythonDocument : testing::Test {
  Checkout checkout;

  void SetUp() override {
    const auto found = checkout.run(test::source_dir() + "/scripts/compiler python");
    if (found.status != 0 && !std::getenv("PODIUM_TEST_PYTHON")) GTEST_SKIP() << found.output;
  }
};

TEST_F(PythonDocument, CommandsPrintWhatTheySay) {
  for (const Block& block : read_document("docs/contestant.md").blocks)
    if (std::filesystem::path(file_of(block)).filename() == "problem.yaml") checkout.write(block);
  const Document document = read_document("docs/python.md");
  EXPECT_THAT(checkout.follow(document, document.blocks), testing::IsEmpty());
}

TEST_F(PythonDocument, ReferencesJudgeAsItSays) {
  const Document document = read_document("docs/python_reference.md");
  EXPECT_THAT(checkout.follow(document, document.blocks), testing::IsEmpty());
}

}  // namespace
}  // namespace podium::docs
