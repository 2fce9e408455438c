// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a session asks of its device beside samples: how it is, what it counts, how fast its memory is; and
// rests.
#include <thread>

#include "suite/contest/session_requests.hpp"
#include "suite/contest/stopwatch.hpp"

namespace podium::contest {

double Session::canary() {
  const Stopwatch watch(spent_.canaries);
  return time_in(
      must<protocol::CanaryIs>(request(protocol::Canary{}, with_worker(limits_.call))).microseconds);
}

protocol::Calibrated Session::memory_rates() {
  const Stopwatch watch(spent_.copy_rate);
  const auto rates = must<protocol::Calibrated>(request(protocol::Calibrate{}, limits_.judge));
  for (const double rate : {rates.copy, rates.read, rates.write}) time_in(rate);
  return rates;
}

void Session::rest(std::chrono::duration<double> length) {
  const Stopwatch watch(spent_.rests);
  std::this_thread::sleep_for(length);
}

protocol::TelemetryIs Session::telemetry(bool energy) {
  const Stopwatch watch(spent_.readings);
  protocol::Telemetry message{};
  message.energy = energy;
  return must<protocol::TelemetryIs>(request(message, limits_.judge));
}

void Session::begin_counting() {
  if (!counts_) return;
  const Stopwatch watch(spent_.readings);
  protocol::Count message{};
  message.begins = 1;
  counts_ = must<protocol::Counted>(request(message, limits_.judge)).counts != 0;
}

std::optional<protocol::Counted> Session::counted() {
  if (!counts_) return std::nullopt;
  const Stopwatch watch(spent_.readings);
  return must<protocol::Counted>(request(protocol::Count{}, limits_.judge));
}

}  // namespace podium::contest
