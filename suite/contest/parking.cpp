// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/parking.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace podium::contest {
namespace {

constexpr std::chrono::seconds stop_patience{1};   // of its processor time
constexpr std::chrono::seconds hold_patience{10};  // others may have the processors
// A process that stands still uses none; what the kernel still books from before is far less.
constexpr std::chrono::milliseconds unnoticed{1};
constexpr std::chrono::milliseconds second_look{1};  // the first finds its children

}  // namespace

bool Parking::park(WorkerProcess worker) {
  const pid_t pid = worker.child.pid();
  Group group(pid);
  group.tell_to_stop();
  if (!group.stopped(stop_patience)) return false;
  auto hold = holds_ ? sandbox::Hold::of(pid, hold_patience) : std::nullopt;
  if (holds_ && !hold) return false;
  const auto runs = group.runs_when_still();
  group.forget();
  const auto time = group.processor_time();
  const auto bytes = worker.child.own_bytes();
  workers_.push_back({std::move(worker), bytes, std::move(group), runs, time, std::move(hold)});
  return true;
}

// A thread that stands still is not put on a processor, whatever it waits for.
bool Parking::ran(Parked& parked) {
  if (parked.hold || parked.worker.child.ended(0)) return false;
  if (!parked.runs) return parked.group.processor_time() > parked.time + unnoticed;
  return !parked.group.asleep(second_look) || parked.group.runs_when_still() != parked.runs;
}

Parking::Taken Parking::take(const std::string& key) {
  const auto found = std::ranges::find(workers_, key, [](const Parked& p) { return p.worker.key; });
  if (found == workers_.end()) return {};
  Parked parked = std::move(*found);
  workers_.erase(found);
  if (ran(parked)) return {.worker = std::nullopt, .ran = true};
  if (parked.hold) parked.hold->let_go();
  if (parked.worker.child.ended(0)) return {};
  parked.group.go_on();
  return {.worker = std::move(parked.worker)};
}

bool Parking::oldest_ran() { return ran(workers_.front()); }

int Parking::end_oldest() {
  const int number = workers_.front().worker.number;
  workers_.pop_front();
  return number;
}

int Parking::end_newest() {
  const int number = workers_.back().worker.number;
  workers_.pop_back();
  return number;
}

std::int64_t Parking::newest_bytes() const { return workers_.back().bytes; }

bool Parking::has(int number) const {
  return std::ranges::any_of(workers_, [&](const Parked& p) { return p.worker.number == number; });
}

std::optional<int> Parking::number_of(const std::string& key) const {
  const auto found = std::ranges::find(workers_, key, [](const Parked& p) { return p.worker.key; });
  return found == workers_.end() ? std::nullopt : std::optional(found->worker.number);
}

std::int64_t Parking::bytes() const {
  return std::accumulate(workers_.begin(), workers_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Parked& p) { return sum + p.bytes; });
}

std::int64_t Parking::device_bytes() const {
  return std::accumulate(workers_.begin(), workers_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Parked& p) { return sum + p.worker.device_bytes; });
}

}  // namespace podium::contest
