// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The energy of a call in an entry, and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/base/error.hpp"
#include "suite/record/metrics.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

using testing::HasSubstr;

Entry with(const Measurement& measured) {
  Entry entry{
      .problem = "sum", .contestant = "cub", .round = 0, .verdict = Verdict::right, .microseconds = {10}};
  entry.measured[energy] = measured;
  return entry;
}

TEST(Energy, ComesBack) {
  const nlohmann::json json = to_json(
      with({.numbers = {{"energy_uj", 4500}, {"watts", 450}, {"microseconds", 10}, {"calls", 120'000}}}));
  EXPECT_EQ(json.at("energy").at("energy_uj"), 4500);
  const Entry read = entry_from(json);
  EXPECT_EQ(read.measured.value(energy), 4500);
  EXPECT_EQ(read.measured.value(watts), 450);
  EXPECT_EQ(read.measured[energy].numbers.at("calls"), 120'000) << "how it came about";
  auto wrong = json;
  wrong["energy"]["watts"] = "many";
  try {
    entry_from(wrong);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("entry: energy: field 'watts'"));
  }
}

TEST(Energy, ThatWasNotMeasuredSaysWhy) {
  const Entry read = entry_from(to_json(with({.text = "the device tells no energy"})));
  EXPECT_FALSE(read.measured.value(energy));
  EXPECT_EQ(read.measured[energy].text, "the device tells no energy");
}

}  // namespace
}  // namespace podium::record
