// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What podium asks its judge for when an entry has more samples than a request can name.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "suite/contest/session.hpp"
#include "suite/protocol/samples.hpp"

namespace podium::contest {
namespace {

// The request for what `counted` samples of `wanted` leave over, as a judge that answers with one gets it.
protocol::TakeSamples request_after(int counted, int wanted) {
  auto [mine, theirs] = protocol::socket_pair();
  protocol::TakeSamples asked{};
  std::jthread judge([&asked, channel = protocol::Channel(std::move(theirs))]() mutable {
    channel.receive();
    protocol::Opened opened{};
    protocol::put(opened.backend, "cuda");
    channel.send(opened);
    asked = channel.receive()->as<protocol::TakeSamples>();
    protocol::TakenSamples answer{};
    answer.verdict = protocol::Verdict::right;
    answer.count = 1;
    channel.send(answer);
    channel.wait(1000);  // until the session ends
  });
  Session session(protocol::Channel(std::move(mine)), 0, {});
  const std::vector<double> times(static_cast<std::size_t>(counted), 1.0);
  session.samples(counted, {}, {.rule = {.least = wanted, .most = wanted}, .counted = times});
  return asked;
}

TEST(SamplesRequest, NamesAllThatItHasRoomFor) {
  const auto asked = request_after(7, 50);
  EXPECT_EQ(asked.counted, 7);
  EXPECT_EQ(asked.least, 50);
  EXPECT_EQ(asked.most, 50);
}

// The judge counts those that it is told of: of 100 and 200 as many are missing as of 64 and 164.
TEST(SamplesRequest, DoesNotAskForThoseThatItLeavesOut) {
  const auto asked = request_after(100, 200);
  EXPECT_EQ(asked.counted, protocol::most_counted);
  EXPECT_EQ(asked.most - asked.counted, 100);
  EXPECT_EQ(asked.least - asked.counted, 100);
}

TEST(Opened, ABackendThatIsNotKnownLosesTheJudge) {
  auto [mine, theirs] = protocol::socket_pair();
  std::jthread judge([channel = protocol::Channel(std::move(theirs))]() mutable {
    channel.receive();
    channel.send(protocol::Opened{});
    channel.wait(1000);
  });
  EXPECT_THROW(Session(protocol::Channel(std::move(mine)), 0, {}), DeviceLost);
}

}  // namespace
}  // namespace podium::contest
