// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Many entries are read on several processors: in their order, and the first fault is the one that is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr int lines = 5000;

class ManyEntries : public testing::Test {
 protected:
  ManyEntries() : folder_(fs::path(testing::TempDir()) / ("many_entries" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "run.json") << R"({"schema": 1})";
  }
  ~ManyEntries() override { fs::remove_all(folder_); }

  static std::string line(int round) {
    return to_json(
               Entry{.problem = "softmax", .contestant = "online", .round = round, .verdict = Verdict::right})
        .dump();
  }
  // Those of `others` in place of lines as above.
  void write(const std::map<int, std::string>& others = {}, const std::string& end = "\n") const {
    std::ofstream file(folder_ / "entries.jsonl");
    for (int i = 0; i < lines; ++i)
      file << (others.contains(i) ? others.at(i) : line(i)) << (i + 1 < lines ? "\n" : end);
  }
  std::string fault() const {
    try {
      read(folder_);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  }
  fs::path folder_;
};

TEST_F(ManyEntries, KeepTheirOrder) {
  write();
  const auto run = read(folder_);
  ASSERT_EQ(run.entries.size(), std::size_t{lines});
  for (int i = 0; i < lines; ++i) EXPECT_EQ(run.entries[static_cast<std::size_t>(i)].round, i);
}

TEST_F(ManyEntries, AreReadUpToALineThatWasCutShort) {
  write({}, "");
  EXPECT_EQ(read(folder_).entries.size(), std::size_t{lines - 1});
}

TEST_F(ManyEntries, NameTheFirstFault) {
  write({{4321, "{"}, {1234, R"({"schema": 1})"}, {1240, "{"}});
  EXPECT_THAT(fault(), HasSubstr("entries.jsonl:1235: entry: field 'problem' is missing"));
}

}  // namespace
}  // namespace podium::record
