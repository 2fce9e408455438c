// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/bench.md: its commands are run beside a problem of Podium's, and print what it shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/docs/follow.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

using testing::IsEmpty;

TEST(BenchPage, IsFollowedWordForWord) {
  const Document document = read_document("docs/bench.md");
  Checkout checkout;
  std::filesystem::copy(test::source_dir() + "/kernels/vector_add", checkout.path() / "kernels/vector_add",
                        std::filesystem::copy_options::recursive);
  EXPECT_GE(document.blocks.size(), 5u) << "found too few blocks; does the search still work?";
  EXPECT_THAT(checkout.follow(document, document.blocks), IsEmpty());
  // The keys that its table names are those that the file has.
  const auto output = nlohmann::json::parse(std::ifstream(checkout.path() / "before.json"));
  int keys = 0;
  for (const Row& row : document.rows) {
    if (row.section != "Counters, labels, errors" || row.cells.at(0) == "`error_message`") continue;
    const std::string key = row.cells.at(0).substr(1, row.cells.at(0).size() - 2);
    EXPECT_TRUE(output.at("benchmarks").at(0).contains(key)) << key;
    ++keys;
  }
  EXPECT_EQ(keys, 5);
}

}  // namespace
}  // namespace podium::docs
