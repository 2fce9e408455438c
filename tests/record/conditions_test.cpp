// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What an entry holds of the device while it was timed: there and back, and absent from older lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Entry sample{
    .problem = "softmax",
    .contestant = "online",
    .verdict = Verdict::right,
    .microseconds = {1.5, 2.25, 0.1},
    .clock_mhz = {1980, 0, 1410},
    .reference_mhz = 1980,
    .discarded = 2,
    .slow = 1,
    .judged = true,
    .telemetry = {
        .source = "NVML",
        .end = {.sm_clock_mhz = 1980,
                .memory_clock_mhz = 3201,
                .temperature_c = -2.5,
                .throttle = {"power cap", "temperature"}},
        .counters = Counters{.seconds = 0.25, .sm_active_percent = 87.5, .memory_bandwidth_percent = 0}}};

TEST(EntryConditions, ConditionsComeBackAndWhatWasNotKnownStaysSo) {
  const Entry got = entry_from(nlohmann::json::parse(to_json(sample).dump()));
  EXPECT_THAT(got.clock_mhz, ElementsAre(1980, 0, 1410));
  EXPECT_EQ(got.reference_mhz, 1980);
  EXPECT_EQ(got.discarded, 2);
  EXPECT_EQ(got.slow, 1);
  EXPECT_TRUE(got.judged);
  EXPECT_EQ(got.telemetry.source, "NVML");
  EXPECT_EQ(got.telemetry.end.sm_clock_mhz, 1980);
  EXPECT_EQ(got.telemetry.end.memory_clock_mhz, 3201);
  EXPECT_EQ(got.telemetry.end.temperature_c, -2.5);
  EXPECT_FALSE(got.telemetry.end.power_w);
  EXPECT_THAT(got.telemetry.end.throttle, ElementsAre("power cap", "temperature"));
  ASSERT_TRUE(got.telemetry.counters);
  EXPECT_EQ(got.telemetry.counters->seconds, 0.25);
  EXPECT_EQ(got.telemetry.counters->sm_active_percent, 87.5);
  EXPECT_EQ(got.telemetry.counters->memory_bandwidth_percent, 0) << "none was used, which is known";
  EXPECT_FALSE(got.telemetry.counters->tensor_active_percent);
}

TEST(EntryConditions, LinesFromBeforeThereWereConditionsAreRead) {
  const Entry got = entry_from(nlohmann::json::parse(
      R"({"schema": 1, "problem": "p", "contestant": "c", "verdict": "right", "microseconds": [1, 2]})"));
  EXPECT_TRUE(got.clock_mhz.empty() && got.telemetry.source.empty());
  EXPECT_EQ(got.discarded + got.slow, 0);
  EXPECT_EQ(got.reference_mhz, 0);
  EXPECT_FALSE(got.judged);
  EXPECT_FALSE(got.telemetry.end.temperature_c || got.telemetry.counters);
}

TEST(EntryConditions, EntriesWithoutSamplesSayNothingOfConditions) {
  const auto json = to_json(Entry{.problem = "p", .contestant = "c", .verdict = Verdict::wrong});
  for (const char* key : {"clock_mhz", "reference_mhz", "discarded", "slow", "telemetry"})
    EXPECT_FALSE(json.contains(key)) << key;
}

TEST(EntryConditions, NoFolderOfTheMachineIsPublished) {
  std::string folder = std::filesystem::temp_directory_path() / "podium-record-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  Entry entry = sample;
  entry.telemetry.source = "none: /home/me/lib/libnvidia-ml.so.1 could not be loaded";
  Writer(folder + "/run", {}).append(entry);
  EXPECT_EQ(read(folder + "/run").entries.at(0).telemetry.source,
            "none: libnvidia-ml.so.1 could not be loaded");
  std::filesystem::remove_all(folder);
}

TEST(EntryConditions, WrongFieldsAreNamed) {
  const auto with = [](const char* key, const nlohmann::json& value) -> std::string {
    auto json = to_json(sample);
    json[key] = value;
    try {
      entry_from(json);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  };
  EXPECT_THAT(with("clock_mhz", 1980), HasSubstr("'clock_mhz'"));
  EXPECT_THAT(with("discarded", 0.5), HasSubstr("'discarded'"));
  EXPECT_THAT(with("telemetry", 1), HasSubstr("entry: telemetry: found number"));
  EXPECT_THAT(with("telemetry", {{"counters", {{"sm_active_percent", "all"}}}}),
              HasSubstr("entry: telemetry: counters: field 'sm_active_percent' is string"));
  EXPECT_THAT(with("telemetry", {{"end", {{"power_w", "low"}}}}),
              HasSubstr("entry: telemetry: end: field 'power_w' is string, expected a number"));
}

}  // namespace
}  // namespace podium::record
