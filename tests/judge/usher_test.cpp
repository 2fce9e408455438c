// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Work beside the judge's thread: done when it was told to go and by the time it is finished, else not at
// all.
#include "suite/judge/usher.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace podium::judge {
namespace {

using namespace std::chrono_literals;

class UsherTest : public testing::Test {
 protected:
  std::atomic<int> done_{0};
  std::function<void()> work_ = [this] { ++done_; };
  Usher usher_;  // last: it ends first
};

TEST_F(UsherTest, DoesWhatItWasToldToGoFor) {
  for (int turn = 1; turn <= 1000; ++turn) {
    usher_.begin(work_);
    if (turn % 100 == 0) std::this_thread::sleep_for(2ms);  // it sleeps by then
    usher_.go();
    if (turn % 7 == 0) std::this_thread::yield();
    EXPECT_TRUE(usher_.finish());
    EXPECT_EQ(done_, turn);
    EXPECT_FALSE(usher_.finish()) << "once";
  }
}

TEST_F(UsherTest, DoesNothingUntold) {
  EXPECT_FALSE(usher_.finish());
  usher_.go();  // for nothing
  for (int turn = 0; turn < 200; ++turn) {
    usher_.begin(work_);
    if (turn % 50 == 0) std::this_thread::sleep_for(2ms);
    if (turn % 2) {
      EXPECT_FALSE(usher_.finish());
      usher_.go();
    }
  }
  usher_.dismiss();
  EXPECT_EQ(done_, 0);
  usher_.begin(work_);
  usher_.go();
  EXPECT_TRUE(usher_.finish()) << "and it can be begun again";
  EXPECT_EQ(done_, 1);
}

TEST_F(UsherTest, ThrowsWhatWorkThrewAndGoesOn) {
  usher_.begin([] { throw std::runtime_error("told to"); });
  usher_.go();
  EXPECT_THROW(usher_.finish(), std::runtime_error);
  EXPECT_FALSE(usher_.finish());
  usher_.begin([] { throw std::runtime_error("told to"); });
  usher_.go();
  EXPECT_NO_THROW(usher_.dismiss());
  usher_.begin(work_);
  usher_.go();
  EXPECT_TRUE(usher_.finish());
}

TEST_F(UsherTest, WaitsForWorkThatTakesLongAndEndsWithIt) {
  usher_.begin([this] {
    std::this_thread::sleep_for(20ms);
    ++done_;
  });
  usher_.go();
  usher_.dismiss();
  EXPECT_EQ(done_, 1);
  usher_.begin([this] {
    std::this_thread::sleep_for(20ms);
    ++done_;
  });
  usher_.go();  // its end comes meanwhile
}

}  // namespace
}  // namespace podium::judge
