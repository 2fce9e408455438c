// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of samples under a fallen clock, and of telemetry, from the device to the table: with a judge
// whose device is simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

constexpr const char* problem = R"y(podium: 1
title: Copy
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "x(i)" }
workloads: { test: [{ n: 10 }], quick: [{ n: 100000 }] }
baseline: { host: plain }
)y";

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
  // An installed podium in the scratch folder, but for its judge.
  void SetUp() override {
    for (const char* program : {"podium", "podium-worker-host"})
      fs::copy_file(fs::path(binary_dir()) / "bin" / program, bin(program));
    fs::copy_file(SIMULATED_JUDGE, bin("podium-judge-host"));
    std::ifstream in(fs::path(binary_dir()) / "toolchain.yaml");
    std::string toolchain{std::istreambuf_iterator<char>(in), {}};
    const std::string root = "\"../../";  // from the build folder to the checkout
    for (std::size_t at; (at = toolchain.find(root)) != std::string::npos;)
      toolchain.replace(at, root.size(), "\"" PODIUM_SOURCE_DIR "/");
    scratch_.write("toolchain.yaml", toolchain);
    scratch_.write("kernels/copy/problem.yaml", problem);
    scratch_.write("kernels/copy/plain.cpp", contestant);
  }

  void TearDown() override { unsetenv("PODIUM_SIMULATED_CLOCK"); }

  void run(const std::string& clocks) {
    const std::string out = scratch_.path() / "out";
    setenv("PODIUM_SIMULATED_CLOCK", clocks.c_str(), 1);
    setenv("PODIUM_CACHE", (binary_dir() + "/test-cache").c_str(), 1);
    const std::string command = bin("podium").string() + " run copy --quick --device host:0 --problems " +
                                (scratch_.path() / "kernels").string() + " --results " +
                                scratch_.results().string() + " >" + out + " 2>&1";
    // NOLINTNEXTLINE(bugprone-command-processor): the command as a user types it
    const int status = std::system(command.c_str());
    std::ifstream in(out);
    table_.assign(std::istreambuf_iterator<char>(in), {});
    ASSERT_EQ(status, 0) << table_;
    const auto runs = scratch_.runs();
    ASSERT_EQ(runs.size(), 1u);
    for (const record::Entry& entry : runs[0].entries)
      if (entry.round >= 0) entries_.push_back(entry);
    ASSERT_EQ(entries_.size(), 14u) << "seven rounds of the baseline and its twin";
  }

  fs::path bin(const std::string& program) const {
    fs::create_directories(scratch_.path() / "bin");
    return scratch_.path() / "bin" / program;
  }
  int discarded() const {
    int sum = 0;
    for (const auto& entry : entries_) sum += entry.discarded;
    return sum;
  }

  Scratch scratch_;
  std::string table_;
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
  // In place of the second and third sample come the fourth and fifth, as others of the round have them.
  EXPECT_EQ(entries_[0].seeds[0], entries_[1].seeds[0]);
  EXPECT_EQ(entries_[0].seeds[1], entries_[1].seeds[3]);
  EXPECT_EQ(entries_[0].seeds[2], entries_[1].seeds[4]);
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
    EXPECT_GT(entry.median, 0);
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
  EXPECT_THAT(table_, Not(HasSubstr("clock")));
}

TEST_F(Throttling, TelemetryIsOfEveryEntry) {
  run("1000000 3000");
  for (const auto& entry : entries_) {
    const record::Telemetry& is = entry.telemetry;
    EXPECT_EQ(is.source, "a simulation");
    EXPECT_EQ(is.start.sm_clock_mhz, 1900);
    EXPECT_FALSE(is.start.memory_clock_mhz) << "not known";
    EXPECT_EQ(is.end.temperature_c, 61);
    EXPECT_EQ(is.end.power_w, 350);
    EXPECT_THAT(is.end.throttle, testing::ElementsAre("power cap", "temperature"));
    EXPECT_EQ(is.energy_j, 1) << "of this entry";
    EXPECT_GT(is.seconds, 0);
  }
}

}  // namespace
}  // namespace podium::test
