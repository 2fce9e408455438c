// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls that outlast an entry's budget: how many are taken, what is recorded of them and of the judge's work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "suite/record/metrics.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/end_to_end/copy_problem.hpp"

namespace podium::test {
namespace {

const std::string problem = copy_problem(10000);

// Sleeps so long where it is timed.
std::string contestant(int milliseconds) {
  return R"c(// podium: { title: "A loop" }
#include <podium/copy.hpp>
#include <chrono>
#include <thread>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    if (args.n > 10) std::this_thread::sleep_for(std::chrono::milliseconds()c" +
         std::to_string(milliseconds) + R"c());
    for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = args.x.data[i];
  }
};
}  // namespace
)c";
}

// The budget of a quick entry is 0.1 s, that of a column 0.03 s.
TEST(LongCalls, EndWithTheBudget) {
  const Scratch scratch;
  scratch.write("kernels/copy/problem.yaml", problem);
  scratch.write("kernels/copy/short.cpp", contestant(0));
  scratch.write("kernels/copy/middling.cpp", contestant(60));
  scratch.write("kernels/copy/long.cpp", contestant(130));
  const auto ended = podium({"run", "copy", "--device", "host", "--quick", "--rounds", "2", "--problems",
                             scratch.path() / "kernels", "--results", scratch.results()});
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto runs = scratch.runs();
  ASSERT_EQ(runs.size(), 1u);
  int timed = 0;
  for (const auto& entry : runs[0].entries) {
    if (entry.round < 0) continue;
    ++timed;
    const std::size_t samples = entry.microseconds.size();
    if (entry.contestant == "short") {
      EXPECT_GE(samples, 5u);
    } else {
      EXPECT_EQ(samples, entry.contestant == "long" ? 1u : 2u) << entry.contestant;
      EXPECT_EQ(entry.stopped, "long calls");
      EXPECT_EQ(entry.median.low, std::ranges::min(entry.microseconds));
      EXPECT_EQ(entry.median.high, std::ranges::max(entry.microseconds));
      EXPECT_GE(entry.median.value, entry.median.low);
      EXPECT_LE(entry.median.value, entry.median.high);
      EXPECT_EQ(entry.measured[record::hot].samples.size(), entry.round == 0 ? 1u : 0u);
    }
    ASSERT_EQ(entry.fill_microseconds.size(), samples);
    ASSERT_EQ(entry.check_microseconds.size(), samples);
    ASSERT_EQ(entry.reference_microseconds.size(), samples);
    for (std::size_t k = 0; k < samples; ++k) {
      EXPECT_GT(entry.fill_microseconds[k], 0);
      EXPECT_GT(entry.reference_microseconds[k], 0);
      EXPECT_LT(entry.reference_microseconds[k], entry.check_microseconds[k]);
    }
  }
  EXPECT_EQ(timed, 6);
}

}  // namespace
}  // namespace podium::test
