// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The clock around a sample: the GPU's kernel on timers of several kinds, emulated, and what the judge makes
// of it.
#include <gtest/gtest.h>

#include "suite/judge/meters.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

constexpr const char* yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference:
  y: { index: [i], value: "x(i)" }
workloads: { test: [{ n: 10 }] }
)y";

// A GPU whose timer shows nanoseconds in steps.
class Clocked : public DoubleDevice {
 public:
  Clocked() : DoubleDevice(true) {}
  bool spinning = true;
  bool spins() const override { return spinning; }
  double clock_ticks_per_microsecond() const override { return 1000; }
  void measure_clock(device::Program& program, std::uint64_t* at) override {
    std::vector<std::uint64_t> words(512);
    words[0] = reinterpret_cast<std::uint64_t>(at);
    words[1] = 15000;
    program.run("podium_clock", words, 1);
  }
};

class Clock : public testing::Test {
 protected:
  Clock() : judged_(yaml, true, 0, 0, true), probe_(device_, judged_.program) {}
  void emulate(std::uint64_t step, std::uint64_t look, std::uint64_t megahertz) {
    using Set = void (*)(unsigned long long, unsigned long long, unsigned long long);
    reinterpret_cast<Set>(const_cast<void*>(judged_.program.symbol("podium_emulate_clock")))(step, look,
                                                                                             megahertz);
  }

  Judged judged_;
  Clocked device_;
  ClockProbe probe_;
};

TEST_F(Clock, IsMeasuredBeforeAndAfterOnTimersOfAnyStep) {
  for (const std::uint64_t step : {1, 32, 1000, 1024}) {
    emulate(step, 20, 1980);
    probe_.before();
    emulate(step, 20, 1410);
    probe_.after();
    const auto clocks = probe_.read();
    EXPECT_NEAR(clocks.before, 1980, 0.003 * 1980) << "steps of " << step << " ns";
    EXPECT_NEAR(clocks.after, 1410, 0.003 * 1410) << "steps of " << step << " ns";
  }
}

TEST_F(Clock, ATimerThatStandsStillIsLeft) {
  emulate(1000, 0, 1980);
  probe_.before();
  probe_.after();
  const auto clocks = probe_.read();
  EXPECT_EQ(clocks.before, 0);
  EXPECT_EQ(clocks.after, 0);
}

TEST_F(Clock, NothingOfTheSampleBeforeIsLeft) {
  emulate(1000, 20, 1980);
  probe_.before();
  probe_.after();
  EXPECT_GT(probe_.read().after, 0);
  device_.spinning = false;  // a judge that slept cannot say
  probe_.before();
  probe_.after();
  const auto clocks = probe_.read();
  EXPECT_GT(clocks.before, 0);
  EXPECT_EQ(clocks.after, 0);
}

TEST_F(Clock, ADeviceWithoutCountersIsNotKnown) {
  DoubleDevice plain;
  ClockProbe probe(plain, judged_.program);
  probe.before();
  probe.after();
  const auto clocks = probe.read();
  EXPECT_EQ(clocks.before, 0);
  EXPECT_EQ(clocks.after, 0);
}

}  // namespace
}  // namespace podium::judge
