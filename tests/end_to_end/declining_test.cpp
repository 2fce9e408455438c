// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that decline a workload in a round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

// In its problem's folder, so that its process is kept: `counts` is how often it was made for the larger
// workload.
fs::path with_decliner(const Scratch& scratch, const std::string& declines) {
  const fs::path folder = scratch.copy_of("sum");
  std::ofstream(folder / "decliner.cpp") << R"c(// podium: { title: "Declines" }
#include <podium/sum.hpp>
namespace {
struct Contestant {
  explicit Contestant(const problem::Workload& workload) {
    static int counts = 0;
    if (workload.n < 1500000) return;
    ++counts;
    if ()c" << declines << R"c() throw podium::Unsupported("not today");
  }
  void run(const problem::Arguments& args, podium::Stream) {
    double sum = 0;
    for (std::int64_t i = 0; i < args.n; ++i) sum += static_cast<double>(args.x(i));
    args.y() = static_cast<float>(sum);
  }
};
}  // namespace
)c";
  return folder.parent_path();
}

struct Rows {
  std::map<std::string, int> timed;   // entries with a time, by contestant and workload
  std::vector<record::Entry> others;  // of rounds
};

Rows rows_of(const std::string& declines) {
  const Scratch scratch;
  const auto problems = with_decliner(scratch, declines);
  const auto ended =
      podium({"run", "sum", "--device", "host", "--quick", "--rounds", "3", "--problems", problems.string(),
              "--results", scratch.results().string(), "--contestant", "decliner", "threads"});
  Rows rows;
  const auto runs = scratch.runs();
  EXPECT_EQ(runs.size(), 1u) << ended.err;
  for (const auto& entry : runs.at(0).entries) {
    if (entry.round < 0 || entry.twin) continue;
    if (entry.verdict == Verdict::right)
      ++rows.timed[entry.contestant + " " + entry.workload];
    else
      rows.others.push_back(entry);
  }
  return rows;
}

TEST(Declining, WhenFirstAskedIsNoFailureAndAskedOnce) {
  const Rows rows = rows_of("true");
  ASSERT_EQ(rows.others.size(), 1u);
  EXPECT_EQ(rows.others[0].verdict.word(), "not supported") << rows.others[0].text;
  EXPECT_EQ(rows.others[0].round, 0);
  EXPECT_THAT(rows.timed, testing::ElementsAre(testing::Pair("decliner n=1000000", 3),
                                               testing::Pair("threads n=1000000", 3),
                                               testing::Pair("threads n=2000003", 3)));
}

TEST(Declining, LaterIsAFailure) {
  const Rows rows = rows_of("counts > 1");
  ASSERT_EQ(rows.others.size(), 1u);
  EXPECT_EQ(rows.others[0].verdict.word(), "threw");
  EXPECT_THAT(rows.others[0].text, HasSubstr("declined in round 2 what it had computed before: not today"));
  EXPECT_EQ(rows.timed.at("threads n=2000003"), 3);
}

}  // namespace
}  // namespace podium::test
