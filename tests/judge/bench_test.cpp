// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge in front of a worker: several calls behind one gate, all checked; hot, replayed and whole calls.
#include "suite/judge/bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "tests/judge/scripted_worker.hpp"

namespace podium::judge {
namespace {

using protocol::Launch, protocol::Mode, protocol::Verdict;

constexpr int calls = 4;
constexpr std::uint8_t poison = 0xA5;
class Benches : public WithScriptedWorker<SpinningDevice> {
 protected:
  Benches() : WithScriptedWorker(calls) { device_.flushes = 0; }

  static Draw draw(std::uint64_t n) { return {.inputs = 100 + n, .placement = n, .verification = n}; }
  protocol::Sampled together(bool waits = false) {
    std::vector<Draw> draws;
    for (std::uint64_t call = 0; call < calls; ++call) draws.push_back(draw(call));
    return bench_->sample_together(draws, poison, waits);
  }
  protocol::Sampled sample(Mode mode, std::uint64_t n, bool waits = false) {
    return bench_->sample(draw(n), poison, waits, mode);
  }
  Verdict verdict_of_graph(std::uint64_t n) {
    try {
      return sample(Mode::graph, n).verdict;
    } catch (const WorkerFailure& failure) {
      return failure.verdict();
    }
  }
};

TEST_F(Benches, CallsBehindOneGateHaveInputsOfTheirOwn) {
  EXPECT_EQ(bench_->most_together(), calls);
  const auto sampled = together();
  EXPECT_EQ(sampled.verdict, Verdict::right) << protocol::get(sampled.text);
  EXPECT_EQ(sampled.blocking, 0);
  EXPECT_GT(sampled.judge_microseconds, 0);
  EXPECT_EQ(device_.flushes, 1);
  ASSERT_EQ(worker_->armed.size(), 1u);
  EXPECT_EQ(worker_->armed[0].calls, calls);
  EXPECT_FALSE(worker_->open[0]);
  EXPECT_EQ((std::set<float>(worker_->first.begin(), worker_->first.end()).size()), std::size_t{calls});
}

// What comes when the judge has looked at its clock comes too late: the copies are queued by then.
TEST_F(Benches, OutputsAreTakenBeforeTheDeviceCanTurnBack) {
  protocol::Arm told{};
  worker_->after = [&](const protocol::Arm& arm) {
    told = arm;
    for (int call = 0; call < arm.calls; ++call)
      std::memset(worker_->y(arm, call), poison, elements * sizeof(float));
  };
  device_.awaited = [&] {
    const protocol::Arm late = std::exchange(told, {});
    for (int call = 0; call < late.calls; ++call)
      for (int i = 0; i < elements; ++i) worker_->y(late, call)[i] = 2 * worker_->x(late, call)[i];
  };
  EXPECT_EQ(sample(Mode::cold, 1).verdict, Verdict::not_written);
  EXPECT_EQ(together().verdict, Verdict::not_written);
}

// Whichever of them errs, and however.
TEST_F(Benches, EachCallBehindOneGateIsChecked) {
  for (int bad = 0; bad < calls; ++bad) {
    worker_->after = [&](const protocol::Arm& arm) { worker_->y(arm, bad)[elements / 2] += 1; };
    EXPECT_EQ(together().verdict, Verdict::wrong) << bad;
    worker_->after = [&](const protocol::Arm& arm) {
      std::memset(worker_->y(arm, bad), poison, elements * sizeof(float));
    };
    EXPECT_EQ(together().verdict, Verdict::not_written) << bad;
    worker_->after = [&](const protocol::Arm& arm) { worker_->x(arm, bad)[7] += 1; };
    EXPECT_EQ(together().verdict, Verdict::input_changed) << bad;
    worker_->after = [&](const protocol::Arm& arm) { worker_->y(arm, bad)[elements] = 0; };
    EXPECT_EQ(together().verdict, Verdict::out_of_bounds) << bad;
    worker_->after = [&](const protocol::Arm& arm) { worker_->x(arm, bad)[-1] = 0; };
    EXPECT_EQ(together().verdict, Verdict::out_of_bounds) << bad;
    worker_->after = [&](const protocol::Arm& arm) {  // another call's answer
      std::memcpy(worker_->y(arm, bad), worker_->y(arm, (bad + 1) % calls), elements * sizeof(float));
    };
    EXPECT_EQ(together().verdict, Verdict::wrong) << bad;
  }
  worker_->after = [](const protocol::Arm&) {};
  EXPECT_EQ(together().verdict, Verdict::right);
}

// One that waits in a call for the one before blocks there, and there alone.
TEST_F(Benches, CallsThatCannotBeQueuedBlockOnlyTogether) {
  worker_->waits = [](const protocol::Arm& arm) { return arm.calls > 1; };
  const auto many = together();
  EXPECT_EQ(many.verdict, Verdict::right) << protocol::get(many.text);
  EXPECT_EQ(many.blocking, 1);
  EXPECT_EQ(sample(Mode::cold, 9).blocking, 0);
  EXPECT_FALSE(worker_->open.back()) << "a single call is still gated";
  EXPECT_EQ(together(true).verdict, Verdict::right);
  EXPECT_EQ(worker_->armed.back().launch, Launch::waiting);
}

// Its worker binds tensors and arms before inputs are anywhere, as for others; the judge's interval holds the
// call alone.
TEST_F(Benches, OneThatWaitsIsArmedBeforeItsInputsExist) {
  float before = 0;
  worker_->before = [&](const protocol::Arm& arm) {
    before = *worker_->x(arm, 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  const auto sampled = sample(Mode::cold, 1, true);
  EXPECT_EQ(sampled.verdict, Verdict::right) << protocol::get(sampled.text);
  EXPECT_EQ(worker_->armed.back().launch, Launch::waiting);
  EXPECT_FALSE(worker_->open.back());
  EXPECT_NE(before, worker_->first.back());
  EXPECT_GE(sampled.arm_microseconds, 20'000);
  EXPECT_LT(sampled.judge_microseconds, sampled.arm_microseconds);
}

TEST_F(Benches, OnlyHotCallsFindCachesUnflushed) {
  EXPECT_EQ(sample(Mode::cold, 1).verdict, Verdict::right);
  EXPECT_EQ(device_.flushes, 1);
  EXPECT_EQ(sample(Mode::hot, 2).verdict, Verdict::right);
  EXPECT_EQ(device_.flushes, 1);
  EXPECT_EQ(sample(Mode::end_to_end, 3).verdict, Verdict::right);
  EXPECT_EQ(sample(Mode::graph, 4).verdict, Verdict::right);
  EXPECT_EQ(device_.flushes, 3);
  // What is hot is not told: the worker sees two calls of one kind.
  EXPECT_EQ(worker_->armed[0].launch, Launch::gated);
  EXPECT_EQ(worker_->armed[1].launch, Launch::gated);
  EXPECT_NE(worker_->first[0], worker_->first[1]);
}

// A copy takes the judge microseconds to queue, and the device may be back before all of them are.
TEST_F(Benches, TheIntervalOfSeveralCallsEndsWhenTheDeviceIsBack) {
  device_.settles = true;
  device_.queueing = std::chrono::milliseconds(50);
  const auto began = std::chrono::steady_clock::now();
  const protocol::Sampled sampled = together();
  EXPECT_EQ(sampled.verdict, Verdict::right);
  ASSERT_GE(device_.queued.size(), std::size_t{calls});
  const std::chrono::duration<double, std::micro> until_second = device_.queued[1] - began;
  EXPECT_LT(sampled.judge_microseconds, until_second.count());
}

TEST_F(Benches, OnlySteadyCallsFindAsMuchUnwrittenAsTheyWrite) {
  for (const Mode mode : {Mode::cold, Mode::hot, Mode::end_to_end, Mode::graph}) sample(mode, 1);
  EXPECT_TRUE(device_.unwritten.empty());
  const int flushes = device_.flushes;
  EXPECT_EQ(sample(Mode::steady, 2).verdict, Verdict::right);
  EXPECT_EQ(device_.flushes, flushes + 1);
  EXPECT_EQ(device_.unwritten, std::vector<std::size_t>{elements * sizeof(float)}) << "y, and not x";
  EXPECT_EQ(worker_->armed.back().launch, Launch::gated) << "the worker is not told";
}

TEST_F(Benches, OnlyColdCallsAloneAreClocked) {
  sample(Mode::cold, 1);
  EXPECT_EQ(device_.clocks, 2) << "before and after";
  for (const Mode mode : {Mode::hot, Mode::end_to_end, Mode::graph}) sample(mode, 2);
  together();
  bench_->sample_repeated(draw(3), poison, 3);
  EXPECT_EQ(device_.clocks, 2);
}

TEST_F(Benches, EveryKindOfCallIsChecked) {
  worker_->computes = false;
  for (const Mode mode : {Mode::cold, Mode::hot, Mode::end_to_end, Mode::graph, Mode::steady})
    EXPECT_EQ(sample(mode, 5).verdict, Verdict::not_written) << static_cast<int>(mode);
}

// Right or wrong, alone or behind one gate.
TEST_F(Benches, WhatIsCheckedIsCounted) {
  const protocol::Checked one = sample(Mode::cold, 1).checked, several = together().checked;
  EXPECT_EQ(one.calls, 1);
  EXPECT_EQ(one.elements, elements);
  EXPECT_EQ(one.compared, elements);
  EXPECT_EQ(one.examined, 0);
  EXPECT_GE(one.bytes, std::int64_t{elements} * std::int64_t{sizeof(float)}) << "the input, and guards";
  EXPECT_EQ(several.calls, calls);
  EXPECT_EQ(several.elements, calls * elements);
  EXPECT_EQ(several.compared, calls * elements);
  worker_->computes = false;
  EXPECT_EQ(sample(Mode::hot, 2).checked.compared, elements);
  worker_->after = [&](const protocol::Arm& arm) { worker_->y(arm, 0)[elements] = 0; };
  const protocol::Checked beyond = sample(Mode::cold, 3).checked;
  EXPECT_EQ(beyond.calls, 1);
  EXPECT_EQ(beyond.elements, 0) << "out of bounds: nobody looked at outputs";
}

TEST_F(Benches, WholeCallsFindTheGateOpen) {
  EXPECT_EQ(sample(Mode::end_to_end, 1).verdict, Verdict::right);
  EXPECT_EQ(worker_->armed.back().launch, Launch::whole);
  EXPECT_TRUE(worker_->open.back());
}

TEST_F(Benches, RepeatedCallsAreMeasuredAndTheLastIsChecked) {
  // A busy machine may delay the judge, whose interval begins when it hears that the worker has armed.
  worker_->after = [&](const protocol::Arm&) { std::this_thread::sleep_for(std::chrono::seconds(1)); };
  const auto sampled = bench_->sample_repeated(draw(1), poison, 70);
  EXPECT_EQ(sampled.verdict, Verdict::right) << protocol::get(sampled.text);
  EXPECT_EQ(sampled.calls, 70);
  EXPECT_GE(sampled.judge_microseconds, 250'000);
  EXPECT_NEAR(sampled.watts, SpinningDevice::watts, 0.02 * SpinningDevice::watts);
  ASSERT_EQ(worker_->armed.size(), 1u);
  EXPECT_EQ(worker_->armed[0].launch, Launch::repeated);
  EXPECT_EQ(worker_->armed[0].repeats, 70);
  EXPECT_EQ(worker_->armed[0].calls, 1);
  EXPECT_TRUE(worker_->open[0]);
  EXPECT_EQ(device_.flushes, 0);

  worker_->after = [&](const protocol::Arm& arm) { worker_->y(arm, 0)[elements / 2] += 1; };
  EXPECT_EQ(bench_->sample_repeated(draw(2), poison, 3).verdict, Verdict::wrong);
  worker_->after = [&](const protocol::Arm& arm) { worker_->y(arm, 0)[elements] = 0; };
  EXPECT_EQ(bench_->sample_repeated(draw(3), poison, 3).verdict, Verdict::out_of_bounds);
  worker_->after = [](const protocol::Arm&) {};
  const auto soon = bench_->sample_repeated(draw(4), poison, 3);
  EXPECT_EQ(soon.verdict, Verdict::right);
  EXPECT_TRUE(std::isnan(soon.watts)) << "too short to tell";
}

TEST_F(Benches, AWorkerThatRepeatsWhatNobodyAskedForBreaksTheProtocol) {
  for (const int says : {-1, 4}) {
    worker_->repeats = says;
    try {
      bench_->sample_repeated(draw(1), poison, 3);
      ADD_FAILURE() << says;
    } catch (const WorkerFailure& failure) {
      EXPECT_EQ(failure.verdict(), Verdict::broke_protocol) << says;
    }
  }
  EXPECT_THROW(bench_->sample_repeated(draw(1), poison, 0), Error);
  EXPECT_THROW(bench_->sample_repeated(draw(1), poison, protocol::most_repeats + 1), Error);
}

// Captured once, refilled in place: other inputs at the same addresses.
TEST_F(Benches, GraphsAreCapturedOnceForAnInstance) {
  for (const std::uint64_t n : {1, 2, 3}) EXPECT_EQ(sample(Mode::graph, n).verdict, Verdict::right) << n;
  ASSERT_EQ(worker_->armed.size(), 3u);
  EXPECT_EQ(worker_->armed[0].launch, Launch::capture);
  for (const std::size_t replay : {1u, 2u}) {
    EXPECT_EQ(worker_->armed[replay].launch, Launch::replay);
    EXPECT_EQ(worker_->armed[replay].offsets[0][0], worker_->armed[0].offsets[0][0]);
    EXPECT_FALSE(worker_->open[replay]);
    EXPECT_NE(worker_->first[replay], worker_->first[0]);
  }
  bench_->end();
  bench_->begin(judged_.instance, 0, {});
  EXPECT_EQ(sample(Mode::graph, 4).verdict, Verdict::right);
  EXPECT_EQ(worker_->armed.back().launch, Launch::capture);
}

// By the judge's clock, whatever the worker says; of the newest instance.
TEST_F(Benches, ConstructorsAreTimed) {
  EXPECT_GT(bench_->constructor_microseconds(), 0);
  for (const int milliseconds : {20, 0}) {
    bench_->end();
    worker_->constructs = milliseconds;
    bench_->begin(judged_.instance, 0, {});
    EXPECT_GE(bench_->constructor_microseconds(), 1000 * milliseconds);
  }
}

TEST_F(Benches, WhatCannotBeCapturedIsSaid) {
  worker_->before = [](const protocol::Arm& arm) {
    if (arm.launch == Launch::capture) throw ScriptedWorker::Fails{Verdict::not_capturable};
  };
  EXPECT_EQ(verdict_of_graph(1), Verdict::not_capturable);
  EXPECT_EQ(verdict_of_graph(2), Verdict::not_capturable) << "no replay of what was never captured";
  EXPECT_EQ(sample(Mode::cold, 3).verdict, Verdict::right);
}

TEST_F(Benches, AReplayThatWaitsAtTheGateIsNone) {
  EXPECT_EQ(sample(Mode::graph, 1).verdict, Verdict::right);
  worker_->waits = [](const protocol::Arm& arm) { return arm.launch == Launch::replay; };
  EXPECT_EQ(verdict_of_graph(2), Verdict::not_capturable);
  EXPECT_EQ(sample(Mode::cold, 3).blocking, 0);
}

TEST_F(Benches, WhatWaitsInsideTheCallIsNotCaptured) {
  worker_->waits = [](const protocol::Arm&) { return true; };
  EXPECT_EQ(sample(Mode::cold, 1).blocking, 1);
  EXPECT_EQ(verdict_of_graph(2), Verdict::not_capturable);
}

}  // namespace
}  // namespace podium::judge
