// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's own work for each sample, on disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

using testing::ElementsAre;

Entry timed_entry() {
  return {.problem = "sum",
          .contestant = "serial",
          .round = 0,
          .verdict = Verdict::right,
          .microseconds = {1.5, 2.25},
          .fill_microseconds = {20, 30.5},
          .check_microseconds = {50, 60},
          .reference_microseconds = {10, 9.5}};
}

TEST(JudgeWork, ComesBackWhole) {
  const Entry got = entry_from(nlohmann::json::parse(to_json(timed_entry()).dump()));
  EXPECT_THAT(got.fill_microseconds, ElementsAre(20, 30.5));
  EXPECT_THAT(got.check_microseconds, ElementsAre(50, 60));
  EXPECT_THAT(got.reference_microseconds, ElementsAre(10, 9.5));
}

// Entries of before it was recorded.
TEST(JudgeWork, MayBeAbsent) {
  nlohmann::json json = to_json(timed_entry());
  for (const char* key : {"fill_microseconds", "check_microseconds", "reference_microseconds"})
    ASSERT_EQ(json.erase(key), 1u) << key;
  EXPECT_TRUE(entry_from(json).fill_microseconds.empty());
  EXPECT_EQ(to_json(entry_from(json)), json);
  json["check_microseconds"] = "long";
  EXPECT_THROW(entry_from(json), Error);
}

}  // namespace
}  // namespace podium::record
