// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Several samples of one entry at one request: the judge follows podium's stopping rule, so that podium need
// not be woken between them, and can have the worker arm for a sample while it checks the one before.
#pragma once
#include "suite/protocol/protocol.hpp"

namespace podium::protocol {

inline constexpr int most_counted = 64;  // samples of an entry that a request can name
inline constexpr int most_taken = 28;    // samples that one answer has room for

// Ends with the sample after which the rule holds, or that is not right, whose clock had fallen or whose call
// has turned out to wait, after `slice`, or when the answer is full; never before the first.
struct TakeSamples {
  static constexpr Type type = Type::take_samples;
  Header header;
  std::int32_t index;  // of the first
  std::int32_t waits;  // as in Sample
  Mode mode;
  std::int32_t counted;  // samples that count already
  double microseconds[most_counted];
  std::int32_t least, most;  // suite/measure/samples.hpp, Stopping
  double relative, budget;
  double seconds;      // of the budget that are spent
  double least_clock;  // MHz: a known clock below it ends the answer, for podium may want to rest
  double slice;        // seconds
};

// The fields of Sampled.
struct TakenSample {
  std::int32_t blocking;
  float skew_microseconds;
  double event_microseconds, judge_microseconds, fill_microseconds, check_microseconds;
  double reference_microseconds;
  double arm_microseconds, stop_microseconds, own_microseconds;
  double clock_before, clock_after;
  double worst;
  std::uint64_t seed;
};

struct TakenSamples {
  static constexpr Type type = Type::taken_samples;
  Header header;
  Verdict verdict;      // of the last; the others are right
  std::int32_t count;   // 0 only where `failed`
  std::int32_t failed;  // the worker failed in a sample after these, with that verdict
  std::int32_t rank;    // which one of a group
  Checked checked;      // in all calls of these
  TakenSample samples[most_taken];
  Sentence text;  // evidence, where the verdict is not `right`
};

template <class To, class From>
To with_numbers_of(const From& from) {
  To to{};
  to.blocking = from.blocking;
  to.event_microseconds = from.event_microseconds;
  to.judge_microseconds = from.judge_microseconds;
  to.fill_microseconds = from.fill_microseconds;
  to.check_microseconds = from.check_microseconds;
  to.reference_microseconds = from.reference_microseconds;
  to.arm_microseconds = from.arm_microseconds;
  to.stop_microseconds = from.stop_microseconds;
  to.own_microseconds = from.own_microseconds;
  to.clock_before = from.clock_before;
  to.clock_after = from.clock_after;
  to.worst = from.worst;
  to.skew_microseconds = from.skew_microseconds;
  to.seed = from.seed;
  return to;
}
inline TakenSample taken(const Sampled& sampled) { return with_numbers_of<TakenSample>(sampled); }
inline Sampled sampled(const TakenSample& taken) { return with_numbers_of<Sampled>(taken); }

}  // namespace podium::protocol
