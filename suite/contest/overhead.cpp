// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/overhead.hpp"

#include <limits>
#include <vector>

#include "suite/measure/disturbance.hpp"

namespace podium::contest {
namespace {

// Adds the clock of every sample to `clocks`.
std::variant<measure::Overhead, Failure> sample(Session& session, bool waits, std::vector<double>& clocks) {
  std::vector<double> reported, judged;
  // As an entry's samples are taken: what the worker does ahead of time it does here, too.
  constexpr measure::Stopping all{.least = overhead_samples,
                                  .most = overhead_samples,
                                  .relative = 0,
                                  .budget = std::numeric_limits<double>::infinity()};
  while (reported.size() < overhead_samples) {
    const auto taken = session.samples(static_cast<int>(reported.size()), {.waits = waits},
                                       {.rule = all, .counted = reported});
    if (taken.failure) return *taken.failure;
    for (const protocol::Sampled& sample : taken.samples) {
      reported.push_back(sample.event_microseconds);
      judged.push_back(sample.judge_microseconds);
      clocks.push_back(measure::sample_clock(sample.clock_before, sample.clock_after));
    }
  }
  return measure::overhead(reported, judged, least_tolerance(session.backend()));
}

}  // namespace

Overheads calmer(const Overheads& now, const Overheads& before) {
  return {.usual = measure::calmer(now.usual, before.usual),
          .waiting = measure::calmer(now.waiting, before.waiting),
          .clock = now.clock};
}

double least_tolerance(const Backend& backend) {
  return backend.gpu ? measure::least_tolerance_gpu : measure::least_tolerance_host;
}

std::variant<Overheads, Failure> measure_overhead(Session& session, int workload) {
  if (const auto failure = session.workers().start({})) return *failure;
  if (const auto failure = session.begin(workload, 0, 0)) return *failure;
  Overheads overheads;
  std::vector<double> clocks;
  for (const bool waits : {false, true}) {
    auto sampled = sample(session, waits, clocks);
    if (auto* failure = std::get_if<Failure>(&sampled)) return *failure;
    (waits ? overheads.waiting : overheads.usual) = std::get<measure::Overhead>(sampled);
  }
  overheads.clock = measure::reference_clock(clocks);
  session.workers().release();
  return overheads;
}

}  // namespace podium::contest
