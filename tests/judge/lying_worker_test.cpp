// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge in front of a worker that lies about the end of a call and about its time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "tests/judge/scripted_worker.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;

// Like a GPU in the hands of two processes: what the judge does waits for what the worker has left running.
class SharedDevice : public SpinningDevice {
 public:
  std::atomic<clock::rep> busy_until{0};
  void synchronise() override {
    std::this_thread::sleep_until(clock::time_point(clock::duration(busy_until.load())));
  }
};

class LyingWorker : public WithScriptedWorker<SharedDevice> {
 protected:
  protocol::Sampled sample() {
    return bench_->sample({.inputs = 1, .placement = 2, .verification = 3, .call = 77}, 0xA5, false);
  }
  std::string refusal() {
    try {
      return "right: " + std::to_string(sample().event_microseconds);
    } catch (const WorkerFailure& failure) {
      return failure.verdict() == Verdict::broke_protocol ? failure.what() : "another verdict";
    }
  }
};

// It says that it is done while its work still runs, and that is in the judge's interval all the same.
TEST_F(LyingWorker, WhatItLeavesRunningCounts) {
  double most = 0;
  for (int k = 0; k < 5; ++k) most = std::max(most, sample().judge_microseconds);
  const std::chrono::microseconds left(30'000 + std::lround(2 * most));  // beyond what the machine adds
  worker_->after = [&](const protocol::Arm&) {
    device_.busy_until = (clock::now() + left).time_since_epoch().count();
  };
  const auto sampled = sample();
  EXPECT_EQ(sampled.verdict, Verdict::right) << "its outputs are there when they are copied";
  EXPECT_GE(sampled.judge_microseconds, 0.9 * microseconds(left));
}

TEST_F(LyingWorker, ATimeIsAFiniteNumberFromZeroOn) {
  for (const double time :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -1e-9}) {
    worker_->reported = time;
    EXPECT_NE(refusal().find("expected a finite one from 0 on"), std::string::npos)
        << time << ": " << refusal();
  }
  worker_->reported = 0;
  EXPECT_EQ(refusal(), "right: 0.000000");
}

TEST_F(LyingWorker, TheEndOfAnotherCallIsNotThisOnes) {
  worker_->later = 1;
  EXPECT_NE(refusal().find("expected call"), std::string::npos) << refusal();
}

TEST_F(LyingWorker, ASampleCarriesTheSeedThatRepeatsIt) { EXPECT_EQ(sample().seed, 77u); }

}  // namespace
}  // namespace podium::judge
