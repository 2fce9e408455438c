// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Samples taken at one request: the judge stops where podium's rule would, loses nothing of what was measured
// before a failure, and lets a worker on the CPU arm while it checks.
#include "suite/judge/take_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <set>

#include "suite/base/error.hpp"
#include "suite/measure/samples.hpp"
#include "tests/judge/scripted_worker.hpp"

namespace podium::judge {
namespace {

using protocol::Mode, protocol::Verdict;

// The clock of a sample and whether the judge may spin are the test's.
class Scripted : public SpinningDevice {
 public:
  bool spinning = true;
  std::vector<std::uint64_t> megahertz{1000};  // of each sample; the last for all after it
  std::size_t measured = 0;
  bool spins() const override { return spinning; }
  void measure_clock(device::Program&, std::uint64_t* at) override {
    at[0] = megahertz[std::min(measured / (spinning ? 2 : 1), megahertz.size() - 1)];
    at[1] = 1;
    ++measured;
  }
  double clock_ticks_per_microsecond() const override { return 1; }
};

class TakeSamples : public WithScriptedWorker<Scripted> {
 protected:
  TakeSamples() { device_.measured = 0; }

  protocol::TakenSamples take(protocol::TakeSamples request) {
    return take_samples(*bench_, request, [&](std::int64_t index) {
      drawn_.push_back(index);
      const auto n = static_cast<std::uint64_t>(index);
      return Draw{.inputs = 100 + n, .placement = n, .verification = n, .call = 100 + n};
    });
  }
  // All that fit, as far as the rule goes.
  static protocol::TakeSamples many(int most) {
    protocol::TakeSamples request{};
    request.least = most;
    request.most = most;
    request.budget = request.slice = std::numeric_limits<double>::infinity();
    return request;
  }

  std::vector<std::int64_t> drawn_;
};

TEST_F(TakeSamples, EachHasItsOwnSeedsAndInputs) {
  auto request = many(6);
  request.index = 3;
  const auto taken = take(request);
  EXPECT_EQ(taken.verdict, Verdict::right);
  EXPECT_EQ(taken.failed, 0);
  ASSERT_EQ(taken.count, 6);
  EXPECT_THAT(drawn_, testing::ElementsAre(3, 4, 5, 6, 7, 8));
  for (int k = 0; k < taken.count; ++k) {
    EXPECT_EQ(taken.samples[k].seed, 103u + static_cast<unsigned>(k));
    EXPECT_EQ(taken.samples[k].event_microseconds, 1);
    EXPECT_GT(taken.samples[k].own_microseconds,
              taken.samples[k].judge_microseconds + taken.samples[k].check_microseconds);
  }
  EXPECT_EQ((std::set<float>(worker_->first.begin(), worker_->first.end()).size()), 6u);
}

// The rule is podium's own, over what counts already and what is taken now.
TEST_F(TakeSamples, EndWhereTheRuleHolds) {
  auto request = many(50);
  request.least = 5;
  request.relative = 0.01;
  for (const double before : {1.0, 1.0}) request.microseconds[request.counted++] = before;
  EXPECT_EQ(take(request).count, 3) << "all are 1 µs: narrow at the fifth";
  request.microseconds[0] = 2;
  request.microseconds[1] = 3;
  std::vector<double> all{2, 3, 1};
  const measure::Stopping rule{.least = 5, .most = 50, .relative = 0.01, .budget = 1e9};
  while (stop(all, 0, rule) == measure::Reason::more) all.push_back(1);
  EXPECT_EQ(take(request).count, static_cast<int>(all.size()) - 2);
  EXPECT_EQ(take(many(3)).count, 3);
  EXPECT_EQ(take(many(50)).count, protocol::most_taken) << "an answer has no room for more";
}

TEST_F(TakeSamples, EndWithTheBudgetAndTheSlice) {
  auto request = many(50);
  request.least = 2;
  request.budget = 1;
  request.seconds = 2;
  EXPECT_EQ(take(request).count, 2) << "the budget was spent before, two are taken anyway";
  request = many(50);
  request.slice = 0;
  EXPECT_EQ(take(request).count, 1) << "podium waits for no more than one call beyond a slice";
}

TEST_F(TakeSamples, EndWithOneWhoseClockHadFallen) {
  device_.megahertz = {1000, 1000, 700, 1000};
  auto request = many(10);
  request.least_clock = 750;
  EXPECT_EQ(take(request).count, 3);
  device_.measured = 0;
  request.least_clock = 0;  // podium has given up on this contestant's clock
  EXPECT_EQ(take(request).count, 10);
}

TEST_F(TakeSamples, AWrongOneIsTheLast) {
  worker_->after = [&](const protocol::Arm& arm) {
    if (worker_->armed.size() == 4) worker_->y(arm, 0)[7] += 1;
  };
  const auto taken = take(many(10));
  EXPECT_EQ(taken.count, 4);
  EXPECT_EQ(taken.failed, 0);
  EXPECT_EQ(taken.verdict, Verdict::wrong);
  EXPECT_NE(protocol::get(taken.text), "");
}

TEST_F(TakeSamples, AFailureLosesNothingOfWhatWasBefore) {
  worker_->before = [&](const protocol::Arm&) {
    if (worker_->armed.size() == 3) throw ScriptedWorker::Fails{Verdict::threw};
  };
  const auto taken = take(many(10));
  EXPECT_EQ(taken.count, 3);
  EXPECT_EQ(taken.failed, 1);
  EXPECT_EQ(taken.verdict, Verdict::threw);
  EXPECT_EQ(protocol::get(taken.text), "told to");
}

TEST_F(TakeSamples, EndWhereACallTurnsOutToWait) {
  worker_->waits = [&](const protocol::Arm&) { return worker_->armed.size() >= 2; };
  const auto taken = take(many(10));
  ASSERT_EQ(taken.count, 2);
  EXPECT_EQ(taken.samples[0].blocking, 0);
  EXPECT_EQ(taken.samples[1].blocking, 1);
}

// The judge's interval ends with the worker's message, whatever else it writes where the judge can see it,
// and the outputs are what they are then.
TEST_F(TakeSamples, AWorkerCannotEndTheJudgesIntervalAndGoOn) {
  constexpr auto hidden = std::chrono::milliseconds(20);
  worker_->after = [&](const protocol::Arm& arm) {
    auto* const page = reinterpret_cast<std::uint32_t*>(&worker_->page());
    for (std::size_t word = 0; word < device::page_bytes / sizeof *page; ++word) page[word] = arm.ticket;
    std::this_thread::sleep_for(hidden);
  };
  for (const bool spinning : {true, false}) {
    device_.spinning = spinning;
    const auto taken = take(many(1));
    ASSERT_EQ(taken.count, 1);
    EXPECT_GE(taken.samples[0].judge_microseconds, 20'000);
  }
}

// On the CPU the worker is told to arm for the next sample before it is asked for; beside a GPU it is not.
TEST_F(TakeSamples, OnTheCpuTheWorkerArmsAhead) {
  std::atomic<int> armed{0};
  worker_->before = [&](const protocol::Arm&) { ++armed; };
  for (const bool spinning : {true, false}) {
    device_.spinning = spinning;
    armed = 0;
    const Draw first{.inputs = 1, .placement = 1}, second{.inputs = 2, .placement = 2};
    const Bench::Next next{[&] { return second; }, [](const protocol::Sampled&) { return true; }};
    EXPECT_EQ(bench_->sample(first, poison_of(0), false, Mode::cold, &next).verdict, Verdict::right);
    const auto end = clock::now() + std::chrono::seconds(spinning ? 0 : 10);
    while (armed < 2 && clock::now() < end) std::this_thread::yield();
    EXPECT_EQ(armed, spinning ? 1 : 2);
    EXPECT_EQ(bench_->sample(second, poison_of(1), false).verdict, Verdict::right);
    EXPECT_EQ(armed, 2);
  }
}

TEST_F(TakeSamples, NoneIsArmedForThatDoesNotCome) {
  for (const bool spinning : {true, false}) {
    device_.spinning = spinning;
    worker_->armed.clear();
    worker_->open.clear();
    EXPECT_EQ(take(many(5)).count, 5);
    EXPECT_EQ(worker_->armed.size(), 5u);
    EXPECT_THAT(worker_->open, testing::Each(false));
    EXPECT_EQ(take(many(1)).count, 1) << "and it goes on";
  }
  bench_->end();  // answered by a worker that waits for no gate
}

// Where processors are plenty the worker is told during the call before, when it is not known yet whether
// another comes.
TEST_F(TakeSamples, WhatIsArmedForAndDoesNotComeIsCalledOff) {
  device_.spinning = false;
  spinner_.room = true;
  EXPECT_EQ(take(many(5)).count, 5);
  EXPECT_EQ(worker_->off, 0) << "the sixth waits at its gate";
  EXPECT_EQ(take(many(3)).count, 3) << "of others: they begin with the first index";
  EXPECT_EQ(worker_->off, 1);
  EXPECT_EQ(bench_->sample({.inputs = 7, .placement = 7}, poison_of(0), false).verdict, Verdict::right);
  EXPECT_EQ(worker_->off, 2);
  bench_->end();
  EXPECT_EQ(worker_->off, 2) << "nothing was armed for";
  EXPECT_EQ(worker_->armed.size(), 11u);
  EXPECT_LE(std::ranges::count(worker_->open, true), 2) << "before those that were called off";
}

TEST_F(TakeSamples, ASampleThatWasArmedForIsTheNextIfItsSeedIs) {
  device_.spinning = false;
  spinner_.room = true;
  EXPECT_EQ(take(many(5)).count, 5);
  auto request = many(2);
  request.index = 5;
  EXPECT_EQ(take(request).count, 2);
  EXPECT_EQ(worker_->off, 0);
  EXPECT_THAT(drawn_, testing::ElementsAre(0, 1, 2, 3, 4, 5, 5, 6, 7)) << "the last for a sample after it";
  bench_->leave();
  EXPECT_EQ(worker_->off, 1);
}

TEST_F(TakeSamples, AFailureIsOfTheSampleThatFailsWhereverItIsSeen) {
  device_.spinning = false;
  spinner_.room = true;
  for (const std::size_t good : {0u, 1u, 4u}) {
    worker_->armed.clear();
    worker_->before = [&](const protocol::Arm&) {
      if (worker_->armed.size() == good) throw ScriptedWorker::Fails{Verdict::threw};
    };
    const auto taken = take(many(8));
    EXPECT_EQ(taken.count, int(good));
    EXPECT_EQ(taken.failed, 1);
    EXPECT_EQ(taken.verdict, Verdict::threw);
    worker_->before = [](const protocol::Arm&) {};
  }
}

TEST_F(TakeSamples, AWrongSampleLeavesNobodyAtAGate) {
  device_.spinning = false;
  spinner_.room = true;
  worker_->computes = false;
  const auto taken = take(many(8));
  EXPECT_EQ(taken.count, 1);
  EXPECT_EQ(taken.verdict, Verdict::not_written);
  bench_->end();
  EXPECT_EQ(worker_->off, 1);
}

TEST_F(TakeSamples, RequestsThatMakeNoSenseAreRefused) {
  auto request = many(5);
  request.counted = protocol::most_counted + 1;
  EXPECT_THROW(take(request), Error);
  request.counted = -1;
  EXPECT_THROW(take(request), Error);
  EXPECT_THROW(take(many(0)), Error);
}

}  // namespace
}  // namespace podium::judge
