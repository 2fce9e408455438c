// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a request that a judge does not answer as it should.
#include "suite/contest/judge_link.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <utility>

namespace podium::contest {
namespace {

using std::chrono::milliseconds;

// A link to a judge whose side the test plays, answers ahead of the requests.
struct Pair {
  explicit Pair(JudgeLink::Supervision supervision = {}) {
    auto [mine, theirs] = protocol::socket_pair();
    link = JudgeLink(protocol::Channel(std::move(mine)), std::move(supervision));
    judge = protocol::Channel(std::move(theirs));
  }
  std::string lost(milliseconds patience = milliseconds(1000)) {
    try {
      link.must<protocol::CanaryIs>(link.request(protocol::Canary{}, patience));
    } catch (const DeviceLost& e) {
      return e.what();
    }
    return "not lost";
  }
  JudgeLink link;
  protocol::Channel judge;
};

protocol::Refused refusal(Fault fault) {
  protocol::Refused refused{};
  refused.verdict = Verdict::none;
  refused.fault = fault;
  protocol::put(refused.text, "a sentence");
  return refused;
}

TEST(JudgeLink, AnAnswerIsGiven) {
  Pair pair;
  pair.judge.send(protocol::CanaryIs{{}, 12});
  const auto packet = pair.link.request(protocol::Canary{}, milliseconds(1000));
  EXPECT_EQ(pair.link.must<protocol::CanaryIs>(packet).microseconds, 12);
}

TEST(JudgeLink, ARefusalSaysWhoseFaultItIs) {
  Pair pair;
  pair.judge.send(refusal(Fault::input));
  EXPECT_THROW(pair.link.must<protocol::Done>(pair.link.request(protocol::End{}, milliseconds(1000))),
               ProblemFault);
  pair.judge.send(refusal(Fault::device));
  try {
    pair.link.must<protocol::Done>(pair.link.request(protocol::End{}, milliseconds(1000)));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.fault(), Fault::device);
    EXPECT_STREQ(e.what(), "a sentence");
  }
}

TEST(JudgeLink, AnAnswerOfAnotherTypeLosesTheJudge) {
  Pair pair;
  pair.judge.send(protocol::Done{});
  EXPECT_THAT(pair.lost(), testing::HasSubstr("the judge broke the protocol"));
}

TEST(JudgeLink, AClosedChannelLosesTheJudge) {
  Pair pair;
  pair.judge.close();
  EXPECT_THAT(pair.lost(), testing::HasSubstr("the judge closed its channel: the device may be lost"));
}

TEST(JudgeLink, AProcessorIsNotLost) {
  Pair pair;
  pair.link.has_device(false);
  pair.judge.close();
  EXPECT_EQ(pair.lost(), "the judge closed its channel");
}

TEST(JudgeLink, SilenceLosesTheJudgeWhereNoWorkerCanBeEnded) {
  EXPECT_THAT(Pair().lost(milliseconds(0)),
              testing::HasSubstr("the judge did not answer in 0 s and was ended"));
}

TEST(JudgeLink, SilenceEndsTheWorkerFirst) {
  protocol::Channel* judge = nullptr;
  int ended = 0;
  Pair pair({.time_out = [&] {
    judge->send(protocol::CanaryIs{{}, 3});  // as a judge does when its worker is gone
    return ++ended == 1;
  }});
  judge = &pair.judge;
  EXPECT_EQ(pair.lost(milliseconds(0)), "not lost");
  EXPECT_EQ(ended, 1);
}

TEST(JudgeLink, ATimeThatIsNoneLosesTheJudge) {
  Pair pair;
  EXPECT_EQ(pair.link.time_in(3), 3);
  EXPECT_THROW(pair.link.time_in(-1), DeviceLost);
}

TEST(JudgeLink, AnErrorOrACountThatIsNoneLosesTheJudge) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Pair().link.error_in(infinite), infinite);
  EXPECT_THROW(Pair().link.error_in(-0.5), DeviceLost);
  EXPECT_THROW(Pair().link.error_in(std::numeric_limits<double>::quiet_NaN()), DeviceLost);
  EXPECT_EQ(Pair().link.count_in(0), 0);
  EXPECT_THROW(Pair().link.count_in(-1), DeviceLost);
  EXPECT_THROW(Pair().link.count_in(std::numeric_limits<std::int64_t>::max()), DeviceLost);
}

}  // namespace
}  // namespace podium::contest
