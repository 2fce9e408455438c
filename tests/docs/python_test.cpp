// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/python.md: its files are contestants of the problem in docs/contestant.md, and its commands print what
// they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/docs/follow.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

TEST(PythonDocument, CommandsPrintWhatTheySay) {
  Checkout checkout;
  const auto found = checkout.run(test::source_dir() + "/scripts/compiler python");
  if (found.status != 0 && !std::getenv("PODIUM_TEST_PYTHON")) GTEST_SKIP() << found.output;
  for (const Block& block : read_document("docs/contestant.md").blocks)
    if (std::filesystem::path(file_of(block)).filename() == "problem.yaml") checkout.write(block);
  const Document document = read_document("docs/python.md");
  EXPECT_THAT(checkout.follow(document, document.blocks), testing::IsEmpty());
}

}  // namespace
}  // namespace podium::docs
