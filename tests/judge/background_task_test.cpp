// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Work beside the judge's thread: done when it was told to go and by the time it is finished, else not at
// all.
#include "suite/judge/background_task.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace podium::judge {
namespace {

using namespace std::chrono_literals;

class BackgroundTaskTest : public testing::Test {
 protected:
  std::atomic<int> done_{0};
  std::function<void()> work_ = [this] { ++done_; };
  BackgroundTask background_;  // last: it ends first
};

TEST_F(BackgroundTaskTest, DoesWhatItWasToldToGoFor) {
  for (int turn = 1; turn <= 1000; ++turn) {
    background_.prepare(work_);
    if (turn % 100 == 0) std::this_thread::sleep_for(2ms);  // it sleeps by then
    background_.start();
    if (turn % 7 == 0) std::this_thread::yield();
    EXPECT_TRUE(background_.finish());
    EXPECT_EQ(done_, turn);
    EXPECT_FALSE(background_.finish()) << "once";
  }
}

TEST_F(BackgroundTaskTest, DoesNothingUntold) {
  EXPECT_FALSE(background_.finish());
  background_.start();  // for nothing
  for (int turn = 0; turn < 200; ++turn) {
    background_.prepare(work_);
    if (turn % 50 == 0) std::this_thread::sleep_for(2ms);
    if (turn % 2) {
      EXPECT_FALSE(background_.finish());
      background_.start();
    }
  }
  background_.cancel();
  EXPECT_EQ(done_, 0);
  background_.prepare(work_);
  background_.start();
  EXPECT_TRUE(background_.finish()) << "and it can be begun again";
  EXPECT_EQ(done_, 1);
}

TEST_F(BackgroundTaskTest, ThrowsWhatWorkThrewAndGoesOn) {
  background_.prepare([] { throw std::runtime_error("told to"); });
  background_.start();
  EXPECT_THROW(background_.finish(), std::runtime_error);
  EXPECT_FALSE(background_.finish());
  background_.prepare([] { throw std::runtime_error("told to"); });
  background_.start();
  EXPECT_NO_THROW(background_.cancel());
  background_.prepare(work_);
  background_.start();
  EXPECT_TRUE(background_.finish());
}

TEST_F(BackgroundTaskTest, WaitsForWorkThatTakesLongAndEndsWithIt) {
  background_.prepare([this] {
    std::this_thread::sleep_for(20ms);
    ++done_;
  });
  background_.start();
  background_.cancel();
  EXPECT_EQ(done_, 1);
  background_.prepare([this] {
    std::this_thread::sleep_for(20ms);
    ++done_;
  });
  background_.start();  // its end comes meanwhile
}

}  // namespace
}  // namespace podium::judge
