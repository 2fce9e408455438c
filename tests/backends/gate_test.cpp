// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two processes, one arena, one gate: what suite/device/lane.hpp promises, on every backend.
#include <gmock/gmock.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/backends/lane_process.hpp"
#include "tests/backends/opened.hpp"

namespace podium::test {
namespace {

constexpr std::size_t half = std::size_t{4} << 20;
constexpr auto patience = std::chrono::milliseconds(60);  // how long the gate is kept shut

class Gate : public Opened {
 protected:
  void SetUp() override {
    Opened::SetUp();
    if (!device_) return;
    arena_ = device_->share(2 * half);
    write(0x21, 0xEE);
  }
  void write(std::uint8_t input, std::uint8_t poison) {
    device_->set(arena_->data(), input, half);
    device_->set(arena_->data() + half, poison, half);
    device_->synchronise();
  }
  std::vector<std::uint8_t> output() { return read(arena_->data() + half, half); }

  void takes_samples(LaneProcess& lane) {
    std::uint32_t ticket = 0;
    for (const std::uint8_t input : {0x31, 0x32, 0x33}) {
      ++ticket;
      ASSERT_TRUE(lane.wait_armed(ticket)) << lane.board().error;
      write(input, 0xEE);  // only now: what ran before the gate opened has read something else
      std::this_thread::sleep_for(patience);
      ASSERT_NE(lane.board().done.load(), ticket) << "the gate did not hold";
      ASSERT_TRUE(all(output(), 0xEE)) << "the gate did not hold";
      lane.open_gate(ticket);
      ASSERT_TRUE(lane.wait_done(ticket)) << lane.board().error;
      EXPECT_TRUE(all(output(), input));
      if (!device_->description().emulated) {  // whose events know no times
        EXPECT_GT(lane.board().microseconds, 0);
      }
      EXPECT_LT(lane.board().microseconds, 1000.0 * patience.count()) << "the wait at the gate was timed";
    }
    EXPECT_EQ(lane.exit_status(), 0) << lane.board().error;
    EXPECT_EQ(lane.board().scratch_wrong, 0);
  }

  std::unique_ptr<device::Arena> arena_;
};

TEST_F(Gate, HoldsUntilItIsOpened) {
  LaneProcess lane(*arena_, 3);
  takes_samples(lane);
}

TEST_F(Gate, HoldsAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start a process of another user";
  LaneProcess lane(*arena_, 3, 61234);
  takes_samples(lane);
}

// Inputs are refilled where they were captured; a device without graphs says so and goes on without.
TEST_F(Gate, HoldsAGraph) {
  LaneProcess lane(*arena_, 3, 0, Way::replayed);
  takes_samples(lane);
  const std::string host = device_->description().backend == "host" ? "a CPU has no stream to capture" : "";
  EXPECT_THAT(lane.board().not_capturable, testing::StartsWith(host));
  if (host.empty()) {
    EXPECT_STREQ(lane.board().not_capturable, "");
  }
}

TEST_F(Gate, ACaptureThatFailsLeavesTheStreamUsable) {
  LaneProcess lane(*arena_, 3, 0, Way::after_a_failed_capture);
  takes_samples(lane);
  EXPECT_STRNE(lane.board().not_capturable, "");
}

TEST_F(Gate, WholeCallsNeedNone) {
  LaneProcess lane(*arena_, 1, 0, Way::whole);
  ASSERT_TRUE(lane.wait_done(1)) << lane.board().error;
  EXPECT_TRUE(all(output(), 0x21));
  EXPECT_GT(lane.board().microseconds, 0);
  EXPECT_EQ(lane.exit_status(), 0) << lane.board().error;
}

TEST_F(Gate, OnlyTheOwnTicketOpensIt) {
  LaneProcess lane(*arena_, 1);
  ASSERT_TRUE(lane.wait_armed(1)) << lane.board().error;
  lane.open_gate(2);
  EXPECT_FALSE(lane.wait_done(1, patience.count()));
  lane.open_gate(1);
  EXPECT_TRUE(lane.wait_done(1)) << lane.board().error;
}

TEST_F(Gate, MayStandOpenBefore) {
  LaneProcess lane(*arena_, 1);
  lane.open_gate(1);
  ASSERT_TRUE(lane.wait_done(1)) << lane.board().error;
  EXPECT_TRUE(all(output(), 0x21));
}

TEST_F(Gate, KillingAWorkerBehindItLeavesTheJudgeWell) {
  for (int turn = 0; turn < 3; ++turn) {
    LaneProcess lane(*arena_, 1);
    ASSERT_TRUE(lane.wait_armed(1)) << lane.board().error;
  }
  write(0x44, 0x45);
  EXPECT_TRUE(all(output(), 0x45));
}

TEST_F(Gate, ALaneWithoutAnArenaSaysSo) {
  struct None : device::Arena {
    device::Handle handle() const override { return {}; }
  };
  LaneProcess lane(None(), 1);
  EXPECT_EQ(lane.exit_status(), 1);
  EXPECT_STRNE(lane.board().error, "");
}

}  // namespace
}  // namespace podium::test
