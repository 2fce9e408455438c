// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A group of ranks in front of the judge: one gate, a part of the tensors each, a failure with its rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/scripted_worker.hpp"

namespace podium::judge {
namespace {

using protocol::Verdict;
using testing::HasSubstr;
using testing::StartsWith;

constexpr int ranks = 2;
constexpr std::size_t meetings_bytes = 64 << 10;  // at least those of sdk/podium/ranks.hpp
constexpr const char* doubled_by_ranks = R"y(
podium: 1
title: Twice
axes: [n]
ranks: [2]
tensors:
  x: { role: input, dtype: f32, shape: [ranks, n], per_rank: each, fill: { normal: { mean: 0, stddev: 1 } } }
  y: { role: output, dtype: f32, shape: [ranks * n], per_rank: shard, tolerance: { ulp: 1 } }
reference: { y: { index: [i], value: "2 * x(i / n, i % n)" } }
workloads:
  test: [{ n: 1000 }]
)y";

class Group : public testing::Test {
 protected:
  Group() {
    evaluator_.begin(judged_.instance, true);
    const auto part = problem::part_of_rank(judged_.instance);
    std::vector<protocol::Channel> channels;
    for (int rank = 0; rank < ranks; ++rank) {
      arenas_.push_back(std::make_unique<SharedArena>(static_cast<std::size_t>(arena_bytes(part))));
      symmetric_.push_back(std::make_unique<SharedArena>(meetings_bytes));
      auto [judges, worker] = protocol::socket_pair();
      channels.emplace_back(std::move(judges));
      workers_.push_back(
          std::make_unique<ScriptedWorker>(std::move(worker), arenas_.back()->data(), elements));
    }
    bench_ = std::make_unique<Bench>(Bench::Shared{.device = device_,
                                                   .arena = *arenas_[0],
                                                   .evaluator = evaluator_,
                                                   .clock = clock_,
                                                   .spinner = spinner_,
                                                   .background = background_,
                                                   .symmetric = {symmetric_[0].get(), symmetric_[1].get()}},
                                     std::move(channels[0]), nobody, "hash");
    bench_->add(device_, 1, *arenas_[1], std::move(channels[1]), nobody);
  }
  void begin() {
    bench_->begin(judged_.instance, 0, {});
    for (auto& worker : workers_) worker->armed.clear(), worker->open.clear(), worker->first.clear();
  }
  ~Group() override { bench_.reset(); }

  // How often each rank has come to the others, as the judge sees it.
  std::uint32_t& meetings_of(int rank) {
    return reinterpret_cast<std::uint32_t*>(symmetric_[static_cast<std::size_t>(rank)]->data())[rank];
  }

  std::optional<WorkerFailure> failure(const std::function<void()>& work) {
    try {
      work();
    } catch (const WorkerFailure& e) {
      return e;
    }
    return std::nullopt;
  }

  static constexpr pid_t nobody = 999'999'999;
  Judged judged_{doubled_by_ranks};
  SpinningDevice device_;
  Evaluator evaluator_{device_, judged_.program, judged_.problem, judged_.choice};
  ClockProbe clock_{device_, judged_.program};
  Roomy spinner_;
  BackgroundTask background_;
  std::vector<std::unique_ptr<SharedArena>> arenas_, symmetric_;
  std::atomic<bool> released_{false};  // whoever waits in a call
  std::vector<std::unique_ptr<ScriptedWorker>> workers_;
  std::unique_ptr<Bench> bench_;
};

TEST_F(Group, EachRankGetsItsPartBehindOneGate) {
  begin();
  const auto sampled = bench_->sample({1, 2, 3, 4}, 0xAB, false);
  EXPECT_EQ(sampled.verdict, Verdict::right) << protocol::get(sampled.text);
  for (const auto& worker : workers_) {
    ASSERT_EQ(worker->armed.size(), 1u);
    EXPECT_FALSE(worker->open[0]) << "armed before the gate opened";
  }
  EXPECT_EQ(workers_[0]->armed[0].ticket, workers_[1]->armed[0].ticket);
  EXPECT_NE(workers_[0]->first[0], workers_[1]->first[0]) << "each has inputs of its own";
}

TEST_F(Group, TheLastRanksTimeCounts) {
  begin();
  workers_[0]->reported = 3;
  workers_[1]->reported = 7;
  EXPECT_EQ(bench_->sample({1, 2, 3, 4}, 0xAB, false).event_microseconds, 7);
}

TEST_F(Group, OutputsOfEveryRankAreVerified) {
  begin();
  workers_[1]->after = [&](const protocol::Arm& arm) { workers_[1]->y(arm, 0)[5] += 1; };
  const auto sampled = bench_->sample({1, 2, 3, 4}, 0xAB, false);
  EXPECT_EQ(sampled.verdict, Verdict::wrong);
  EXPECT_THAT(protocol::get(sampled.text), HasSubstr("y[1005]"));
  EXPECT_THAT(protocol::get(sampled.text), HasSubstr("rank 1"));
}

TEST_F(Group, WhoWritesBeyondItsPartIsNamed) {
  begin();
  workers_[1]->after = [&](const protocol::Arm& arm) { workers_[1]->y(arm, 0)[elements] = 1; };
  const auto sampled = bench_->sample({1, 2, 3, 4}, 0xAB, false);
  EXPECT_EQ(sampled.verdict, Verdict::out_of_bounds);
  EXPECT_THAT(protocol::get(sampled.text), StartsWith("rank 1: "));
}

TEST_F(Group, WhoChangesItsInputIsNamed) {
  begin();
  workers_[1]->after = [&](const protocol::Arm& arm) { workers_[1]->x(arm, 0)[7] += 1; };
  const auto sampled = bench_->sample({1, 2, 3, 4}, 0xAB, false);
  EXPECT_EQ(sampled.verdict, Verdict::input_changed);
  EXPECT_THAT(protocol::get(sampled.text), StartsWith("rank 1: "));
}

TEST_F(Group, TheFirstToFailIsNamedWhoeverWaits) {
  begin();
  workers_[1]->before = [](const protocol::Arm&) { throw ScriptedWorker::Fails{Verdict::threw}; };
  const auto failed = failure([&] { bench_->sample({1, 2, 3, 4}, 0xAB, false); });
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->verdict(), Verdict::threw);
  EXPECT_EQ(failed->rank(), 1);
  EXPECT_STREQ(failed->what(), "rank 1: told to");
}

TEST_F(Group, WhoEndsIsNamedWhileOthersWait) {
  begin();
  workers_[0]->after = [&](const protocol::Arm&) {
    while (!released_) std::this_thread::yield();
  };
  workers_[1]->after = [](const protocol::Arm&) { throw protocol::Closed(); };
  const auto failed = failure([&] { bench_->sample({1, 2, 3, 4}, 0xAB, false); });
  released_ = true;
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->verdict(), Verdict::gone);
  EXPECT_EQ(failed->rank(), 1);
  EXPECT_STREQ(failed->what(), "rank 1: call");
}

// As podium ends all ranks when their time is over.
TEST_F(Group, OfThoseThatHangTheOneThatDoesNotComeIsNamed) {
  begin();
  for (auto& worker : workers_) worker->after = [](const protocol::Arm&) { throw protocol::Closed(); };
  ++meetings_of(0);
  const auto failed = failure([&] { bench_->sample({1, 2, 3, 4}, 0xAB, false); });
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->rank(), 1);
  EXPECT_STREQ(failed->what(), "rank 1: call, in which rank 0 waits to meet it");
}

TEST_F(Group, OfThoseThatHangAlikeAllAreNamed) {
  begin();
  for (auto& worker : workers_) worker->after = [](const protocol::Arm&) { throw protocol::Closed(); };
  const auto failed = failure([&] { bench_->sample({1, 2, 3, 4}, 0xAB, false); });
  ASSERT_TRUE(failed);
  EXPECT_STREQ(failed->what(), "ranks 0, 1: call");
}

TEST_F(Group, IsTakenOneCallAtATime) {
  begin();
  EXPECT_EQ(bench_->most_together(), 1);
  EXPECT_THROW(bench_->sample_repeated({1, 2, 3, 4}, 0xAB, 2), Error);
}

TEST_F(Group, MemoryOfAllIsClearedBeforeAnInstance) {
  ++meetings_of(1);
  begin();
  EXPECT_EQ(meetings_of(1), 0u);
}

}  // namespace
}  // namespace podium::judge
