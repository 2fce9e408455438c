// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/overhead.hpp"

#include <vector>

#include "suite/measure/throttle.hpp"

namespace podium::contest {
namespace {

// Adds the clock of every sample to `clocks`.
std::variant<measure::Overhead, Failure> sample(Session& session, bool waits, std::vector<double>& clocks) {
  std::vector<double> reported, judged;
  for (int i = 0; i < overhead_samples; ++i) {
    const auto sampled = session.sample(i, waits);
    if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
    const auto& taken = std::get<protocol::Sampled>(sampled);
    reported.push_back(taken.event_microseconds);
    judged.push_back(taken.judge_microseconds);
    clocks.push_back(measure::sample_clock(taken.clock_before, taken.clock_after));
  }
  const bool host = protocol::get(session.device().backend) == "host";
  return measure::overhead(reported, judged,
                           host ? measure::least_tolerance_host : measure::least_tolerance_gpu);
}

}  // namespace

std::variant<Overheads, Failure> measure_overhead(Session& session, int workload) {
  auto started = session.start({});
  if (auto* failure = std::get_if<Failure>(&started)) return *failure;
  auto begun = session.begin(workload, 0, 0);
  if (auto* failure = std::get_if<Failure>(&begun)) return *failure;
  Overheads overheads;
  std::vector<double> clocks;
  for (const bool waits : {false, true}) {
    auto sampled = sample(session, waits, clocks);
    if (auto* failure = std::get_if<Failure>(&sampled)) return *failure;
    (waits ? overheads.waiting : overheads.usual) = std::get<measure::Overhead>(sampled);
  }
  overheads.clock = measure::reference_clock(clocks);
  session.release();
  return overheads;
}

}  // namespace podium::contest
