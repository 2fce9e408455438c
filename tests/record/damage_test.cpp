// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Damaged runs: whatever a value or a file has become, reading ends in one sentence that says where and what
// to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* advice = "; the file was damaged or changed: restore it from a copy, or leave it out";

class Damaged : public testing::Test {
 protected:
  Damaged()
      : folder_(fs::path(testing::TempDir()) /
                (testing::UnitTest::GetInstance()->current_test_info()->name() + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write("run.json", run_.dump());
    write("entries.jsonl", entry_.dump() + "\n" + entry_.dump() + "\n");
  }
  ~Damaged() override { fs::remove_all(folder_); }

  void write(const char* name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string fault() const {
    try {
      read(folder_);
    } catch (const Error& e) {
      return e.what();
    }
    return "none";
  }
  std::string of_run(const char* pointer, const json& value) const {
    json changed = run_;
    changed[json::json_pointer(pointer)] = value;
    write("run.json", changed.dump());
    return fault();
  }
  std::string of_entry(const char* pointer, const json& value) const {
    json changed = entry_;
    changed[json::json_pointer(pointer)] = value;
    write("entries.jsonl", entry_.dump() + "\n" + changed.dump() + "\n");
    return fault();
  }
  std::string at(const char* name) const { return (folder_ / name).string(); }

  fs::path folder_;
  json run_ =
      to_json(Provenance{.started = "2025-01-31T13:45:00Z",
                         .boards = {{.problem = "softmax", .stage = "bench", .sha256 = sha256("softmax")}},
                         .rounds = 7,
                         .arithmetic = {{"fma_f32", 1e12}}});
  json entry_ =
      to_json(Entry{.problem = "softmax",
                    .stage = "bench",
                    .contestant = "online",
                    .round = 0,
                    .verdict = Verdict::right,
                    .microseconds = {1, 2},
                    .judge_microseconds = {2, 3},
                    .checked = {.calls = 2, .elements = 10, .compared = 4, .examined = 0, .bytes = 1},
                    .together = {.calls = 2, .microseconds = {2}, .judge_microseconds = {3}}});
};

TEST_F(Damaged, WholeRunsAreRead) { EXPECT_EQ(fault(), "none"); }

TEST_F(Damaged, ValuesOfRunsAreTold) {
  EXPECT_EQ(
      of_run("/rounds", -5),
      at("run.json") + ": field 'rounds' is -5, expected a whole number from 0 on, below 2^31" + advice);
  EXPECT_THAT(of_run("/rounds", 2.5), HasSubstr("field 'rounds' is 2.5, expected a whole number"));
  EXPECT_THAT(of_run("/rounds", 1LL << 31), HasSubstr("field 'rounds' is 2147483648, expected"));
  EXPECT_THAT(
      of_run("/boards/0/stage", "fast"),
      HasSubstr("field 'boards[0].stage' is \"fast\", expected `test`, `quick`, `bench` or an empty text"));
  EXPECT_THAT(of_run("/boards/0/sha256", "../../etc/passwd"), HasSubstr("expected 64 hexadecimal digits"));
  EXPECT_THAT(of_run("/boards", "none"), HasSubstr("field 'boards' is \"none\", expected a list"));
  EXPECT_THAT(of_run("/boards/0", 1), HasSubstr("field 'boards[0]' is 1, expected an object"));
  EXPECT_THAT(of_run("/device/memory", -1),
              HasSubstr("field 'device.memory' is -1, expected a whole number"));
  EXPECT_THAT(of_run("/copy_bytes_per_second", -1e12),
              HasSubstr("is -1000000000000.0, expected a finite number"));
  EXPECT_THAT(of_run("/read_bytes_per_second", "inf"),
              HasSubstr("is \"inf\", expected a finite number from 0 on"));
  EXPECT_THAT(of_run("/arithmetic/fma_f32", "nan"),
              HasSubstr("field 'arithmetic.fma_f32' is \"nan\", expected"));
  EXPECT_THAT(of_run("/wall_seconds", -1), HasSubstr("field 'wall_seconds' is -1, expected"));
  EXPECT_THAT(of_run("/started", "yesterday"),
              HasSubstr("field 'started' is \"yesterday\", expected a time in UTC"));
  EXPECT_THAT(of_run("/isolated", 1), HasSubstr("field 'isolated' is 1, expected true or false"));
  EXPECT_THAT(of_run("/sandbox", json::array({7})), HasSubstr("field 'sandbox[0]' is 7, expected a text"));
  EXPECT_EQ(of_run("/of_a_newer_podium", -1), "none");
}

TEST_F(Damaged, ValuesOfEntriesAreToldWithTheirLine) {
  EXPECT_EQ(of_entry("/round", -2),
            at("entries.jsonl") + ":2: field 'round' is -2, expected a whole number from -1 on, below 2^31" +
                advice);
  EXPECT_THAT(of_entry("/stage", "benchmark"), HasSubstr("field 'stage' is \"benchmark\", expected"));
  EXPECT_THAT(of_entry("/microseconds/1", -2.5),
              HasSubstr("field 'microseconds[1]' is -2.5, expected a finite number from 0 on"));
  EXPECT_THAT(of_entry("/microseconds/1", "fast"),
              HasSubstr("field 'microseconds[1]' is \"fast\", expected"));
  EXPECT_THAT(of_entry("/microseconds", 7), HasSubstr("field 'microseconds' is 7, expected a list"));
  EXPECT_THAT(of_entry("/median", "nan"), HasSubstr("field 'median' is \"nan\", expected a finite number"));
  EXPECT_THAT(of_entry("/worst", -0.5),
              HasSubstr("field 'worst' is -0.5, expected a number from 0 on, or \"inf\""));
  EXPECT_EQ(of_entry("/worst", "inf"), "none");
  EXPECT_THAT(of_entry("/bytes", -1), HasSubstr("field 'bytes' is -1, expected"));
  EXPECT_THAT(of_entry("/together/calls", -1), HasSubstr("field 'together.calls' is -1, expected"));
  EXPECT_THAT(of_entry("/checked/compared", -1), HasSubstr("field 'checked.compared' is -1, expected"));
  EXPECT_THAT(of_entry("/checked", 0), HasSubstr("field 'checked' is 0, expected an object"));
  EXPECT_THAT(of_entry("/seeds", json::array({"x"})), HasSubstr("field 'seeds[0]' is \"x\", expected 16"));
  EXPECT_THAT(of_entry("/text", std::string(1000, 'x')), "none");
  const std::string shortened = of_entry("/twin", std::string(1000, 'x') + "\n\x1b[2J");
  EXPECT_LT(shortened.size(), 400U);
  EXPECT_EQ(shortened.find('\n'), shortened.npos);
}

TEST_F(Damaged, WhatIsNoJsonIsToldWithWhatToDo) {
  write("entries.jsonl", entry_.dump() + "\n{\"schema\": 1e999}\n");
  EXPECT_EQ(fault(), at("entries.jsonl") + ":2: is not JSON" + advice);
  write("run.json", "{");
  EXPECT_EQ(fault(), at("run.json") + ": is not JSON" + advice);
  write("run.json", "[]");
  EXPECT_THAT(fault(), AllOf(StartsWith(at("run.json")), HasSubstr("found array, expected an object")));
}

// Nobody writes into the FIFO: reading it would wait for ever.
TEST_F(Damaged, OnlyFilesAreRead) {
  for (const char* name : {"entries.jsonl", "run.json"}) {
    const std::string text = json::parse(run_.dump()).dump();
    fs::remove(folder_ / name);
    fs::create_directory(folder_ / name);
    EXPECT_THAT(fault(), AllOf(StartsWith(at(name) + ": cannot be read: found a folder, expected a file"),
                               EndsWith("as `podium run` leaves in results/<device>/")));
    fs::remove(folder_ / name);
    ASSERT_EQ(mkfifo(at(name).c_str(), 0600), 0);
    EXPECT_THAT(fault(), HasSubstr("cannot be read: found a FIFO, expected a file"));
    fs::remove(folder_ / name);
    EXPECT_THAT(fault(), HasSubstr("cannot be read: there is no such file"));
  }
}

}  // namespace
}  // namespace podium::record
