// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A right and quick call, after which the clock of the process may have lost part of it. A helper: no
// contestant.
#pragma once
#include "bent_clock.hpp"

#include <podium/sum.hpp>

namespace {
// Several sums at a time, since only of short calls several are looked at behind one gate.
inline float quick_sum(const float* x, std::int64_t n) {
  constexpr std::int64_t sums = 16;
  double partial[sums]{};
  std::int64_t i = 0;
  for (; i + sums <= n; i += sums)
    for (std::int64_t s = 0; s < sums; ++s) partial[s] += x[i + s];
  double total = 0;
  for (; i < n; ++i) total += x[i];
  for (const double sum : partial) total += sum;
  return float(total);
}

// Takes `takes` nanoseconds, whatever caches hold: as long alone as one of several, for what a call takes
// longer alone hides as much of a lie (docs/measuring.md). If `lies`, the clock leaves out `lie` of them.
constexpr std::int64_t takes = 500'000;
inline void short_call(const problem::Arguments& args, std::int64_t lie, bool lies) {
  const std::int64_t began = true_time();
  args.y() = quick_sum(args.x.data, args.n);
  while (true_time() - began < takes) {
  }
  if (lies) lost += lie;
}

// Knows how many rounds its process has been in, from 0, if its worker is parked between rounds, which is so
// where the file lies beside its problem: by its instances of the one workload that is timed. A process that
// is started in mid-run, as after a doubt, begins anew. Its clock can lose time.
struct KnowsRound {
  int round;

  explicit KnowsRound(const problem::Workload& w) : round(begun(w.n)) { overwrite_clock(&losing_clock); }

  static constexpr std::int64_t least_timed = 1'000'000;
  static constexpr int none = -1;
  static inline int timed = 0;
  static int begun(std::int64_t n) { return n < least_timed ? none : timed++; }
};
}  // namespace
