// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whoever loads the machine must not gain from the scatter.
#include "suite/contest/board_monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace podium::contest {
namespace {

constexpr int process_attempts = 3;  // of the empty contestant, on a machine that ends its process
constexpr int looks = 3;             // for a calm moment
constexpr std::chrono::milliseconds rest_between_looks{300};
constexpr std::chrono::milliseconds rest_when_disturbed{100};

}  // namespace

void BoardMonitor::begin() {
  measure();
  calmest_ = *now_;
  run_.sessions.with_judge([&] {
    Session& session = run_.sessions.get();
    const Backend& backend = session.backend();
    // What holds times of a GPU against its memory; the first board measures it.
    if (run_.copy_rate == 0 && backend.device_memory) run_.copy_rate = session.memory_rates().copy;
    run_.link_rate = session.link_rate();
    canaries_ = measure::Canaries(measure::canary_slack(backend.gpu));
    for (std::size_t i = 0; i < measure::Canaries::enough; ++i) canaries_.add(session.canary());
  });
}

// By a contestant that does nothing. A machine that ends its process is forgiven a few times.
void BoardMonitor::measure() {
  for (int attempt = 1;; ++attempt) {
    const auto measured =
        run_.sessions.with_judge([&] { return measure_overhead(run_.sessions.get(), workload_); });
    if (const auto* overheads = std::get_if<Overheads>(&measured)) {
      now_ = *overheads;
      run_.reference_clock = std::max(run_.reference_clock, overheads->clock);
      return;
    }
    const auto& failure = std::get<Failure>(measured);
    if (attempt == process_attempts)
      throw Error(
          fmt::format("the trusted empty contestant failed: {}: {}", word_of(failure.verdict), failure.text),
          Fault::device);
  }
}

std::vector<double> BoardMonitor::look() {
  Session& session = run_.sessions.get();
  std::vector<double> seen{session.canary()};
  if (canaries_.disturbed(seen.back())) {
    session.rest(rest_when_disturbed);
    seen.push_back(session.canary());
  }
  if (canaries_.disturbed(seen.back()) && session.workers().parked_may_act()) {
    session.workers().end_parked();
    seen.push_back(session.canary());
  }
  canaries_.add(seen.back());
  return seen;
}

bool BoardMonitor::becomes_calm(bool waits) {
  for (int look = 0; look < looks; ++look) {
    if (look > 0) run_.sessions.get().rest(look * rest_between_looks);
    measure();
    const bool calm = measure::as_calm(overhead(waits), calmest(waits));
    calmest_ = calmer(*now_, calmest_);
    if (calm) return true;
  }
  now_ = calmest_;
  return false;
}

}  // namespace podium::contest
