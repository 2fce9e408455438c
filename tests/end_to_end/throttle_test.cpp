// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of samples under a fallen clock, and of telemetry, from the device to the table: with a judge
// whose device is simulated.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <set>

#include "suite/record/provenance.hpp"
#include "tests/end_to_end/copy_problem.hpp"
#include "tests/end_to_end/simulated.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const std::string problem = copy_problem(100000) + "baseline: { host: plain }\n";

constexpr const char* contestant = R"c(// podium: { title: "A loop" }
#include <podium/copy.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = args.x.data[i];
  }
};
}  // namespace
)c";

// What runs before anything is timed: two samples that are verified, fifty of the empty contestant.
const std::string before = "52 3000 ";

class Throttling : public testing::Test {
 protected:
  void SetUp() override {
    simulated_.write("kernels/copy/problem.yaml", problem);
    simulated_.write("kernels/copy/plain.cpp", contestant);
  }

  void TearDown() override { unsetenv("PODIUM_SIMULATED_CLOCK"); }

  void run(const std::string& clocks) {
    setenv("PODIUM_SIMULATED_CLOCK", clocks.c_str(), 1);
    const auto [status, text] = simulated_.podium("run copy --quick --verbose --device host:0");
    table_ = text;
    ASSERT_EQ(status, 0) << table_;
    const auto runs = simulated_.runs();
    ASSERT_EQ(runs.size(), 1u);
    for (const auto& half : runs[0].provenance.at("secrets")) secret_ += half.get<std::string>();
    for (const record::Entry& entry : runs[0].entries)
      if (entry.round >= 0) entries_.push_back(entry);
    ASSERT_EQ(entries_.size(), 14u) << "seven rounds of the baseline and its twin";
  }

  int discarded() const {
    int sum = 0;
    for (const auto& entry : entries_) sum += entry.discarded;
    return sum;
  }

  // Of an entry's call, from the secret that was revealed: as suite/judge/seeds.hpp says.
  std::uint64_t seed(const record::Entry& entry, int index) const {
    const int owner = entry.twin ? 2 : 1;
    const std::string digits = record::sha256(fmt::format("{}|call|copy|{}|{}|{}|{}|{}", secret_, entry.types,
                                                          entry.workload, entry.round, index, owner));
    std::uint64_t seed = 0;
    for (int byte = 7; byte >= 0; --byte)
      seed = seed << 8 | std::stoul(digits.substr(static_cast<std::size_t>(2 * byte), 2), nullptr, 16);
    return seed;
  }

  Simulated simulated_;
  std::string table_, secret_;
  std::vector<record::Entry> entries_;
};

TEST_F(Throttling, SamplesUnderAFallenClockAreTakenAgain) {
  run(before + "1 3000 2 2200 1000000 2900");
  EXPECT_EQ(discarded(), 2);
  for (const auto& entry : entries_) {
    EXPECT_EQ(entry.reference_mhz, 3000);
    EXPECT_EQ(entry.slow, 0);
    EXPECT_GE(entry.microseconds.size(), 5u);
    ASSERT_EQ(entry.clock_mhz.size(), entry.microseconds.size());
    EXPECT_EQ(entry.seeds.size(), entry.microseconds.size());
    EXPECT_EQ(std::set(entry.seeds.begin(), entry.seeds.end()).size(), entry.seeds.size());
    EXPECT_GE(*std::ranges::min_element(entry.clock_mhz), 2250);
  }
  // In place of the second and third sample come the fourth and fifth.
  EXPECT_EQ(entries_[0].seeds[0], seed(entries_[0], 0));
  EXPECT_EQ(entries_[0].seeds[1], seed(entries_[0], 3));
  EXPECT_EQ(entries_[0].seeds[2], seed(entries_[0], 4));
  std::set<std::uint64_t> all;  // nobody computes on what another has seen
  std::size_t count = 0;
  for (const auto& entry : entries_) {
    all.insert(entry.seeds.begin(), entry.seeds.end());
    count += entry.seeds.size();
  }
  EXPECT_EQ(all.size(), count);
  EXPECT_THAT(table_, HasSubstr("2 ("));
  EXPECT_THAT(table_, HasSubstr("were taken again: the device's clock had fallen below 75 % of 3000 MHz"));
  EXPECT_THAT(table_, Not(HasSubstr("throttled")));
}

TEST_F(Throttling, ADeviceThatNeverHoldsItsClockStillTimesAndTheRowSaysSo) {
  run(before + "1000000 1500");
  for (const auto& entry : entries_) {
    EXPECT_EQ(entry.discarded, 3);
    EXPECT_EQ(entry.slow, int(entry.microseconds.size()));
    EXPECT_THAT(entry.clock_mhz, Each(1500));
    EXPECT_GT(entry.median.value, 0);
  }
  EXPECT_THAT(table_, AllOf(HasSubstr("throttled: the device did not hold its clock"),
                            HasSubstr("75 % of 3000 MHz")));
}

TEST_F(Throttling, AnUnknownClockDiscardsNothing) {
  run("1000000 0");
  EXPECT_EQ(discarded(), 0);
  for (const auto& entry : entries_) {
    EXPECT_EQ(entry.reference_mhz, 0);
    EXPECT_THAT(entry.clock_mhz, Each(0));
  }
  // Of the judge's clock it may speak, where the machine is busy.
  EXPECT_THAT(table_, AllOf(Not(HasSubstr("clock had fallen")), Not(HasSubstr("hold its clock"))));
}

TEST_F(Throttling, TelemetryIsOfEveryEntry) {
  run("1000000 3000");
  for (const auto& entry : entries_) {
    const record::Telemetry& is = entry.telemetry;
    EXPECT_EQ(is.source, "a simulation");
    EXPECT_EQ(is.end.sm_clock_mhz, 1900);
    EXPECT_FALSE(is.end.memory_clock_mhz) << "not known";
    EXPECT_EQ(is.end.temperature_c, 61);
    EXPECT_EQ(is.end.power_w, 350);
    EXPECT_THAT(is.end.throttle, testing::ElementsAre("power cap", "temperature"));
    ASSERT_TRUE(is.counters);
    EXPECT_GT(is.counters->seconds, 0);
    EXPECT_EQ(is.counters->sm_active_percent, 37.5);
    EXPECT_EQ(is.counters->memory_bandwidth_percent, 20);
    EXPECT_FALSE(is.counters->tensor_active_percent) << "not known";
  }
}

TEST_F(Throttling, WithoutCountersNoneAreRecorded) {
  setenv("PODIUM_SIMULATED_UNCOUNTED", "1", 1);
  run("1000000 3000");
  unsetenv("PODIUM_SIMULATED_UNCOUNTED");
  ASSERT_FALSE(entries_.empty());
  for (const auto& entry : entries_) EXPECT_FALSE(entry.telemetry.counters);
}

}  // namespace
}  // namespace podium::test
