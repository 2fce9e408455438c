// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The timed rounds: samples of every contestant in random order, held against the judge's clock and the
// device's memory.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "suite/contest/turn.hpp"
#include "suite/measure/floor.hpp"

namespace podium::contest {
namespace {

constexpr int attestation_attempts = 3;  // before a contestant is said to lie about its time
constexpr int overhead_attempts = 3;     // of the empty contestant, on a machine that ends its process

}  // namespace

// What the judge's interval holds beside the call itself, by a contestant that does nothing. A machine that
// ends its process is forgiven a few times.
void Runner::measure_overhead() {
  for (int attempt = 1;; ++attempt) {
    const auto measured =
        with_judge([&] { return contest::measure_overhead(session(), board_->timed.front()); });
    if (const auto* overheads = std::get_if<Overheads>(&measured)) {
      overheads_ = *overheads;
      measured_[board_] = overheads_;
      return;
    }
    const auto& failure = std::get<Failure>(measured);
    if (attempt == overhead_attempts)
      throw Error(fmt::format("the trusted empty contestant failed: {}: {}", failure.verdict, failure.text),
                  Exit::no_device);
  }
}

void Runner::measure_round(std::vector<Turn>& turns, int round) {
  std::vector<std::size_t> order(turns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random_);
  for (const std::size_t at : order)
    if (!turns[at].out) measure(turns[at], round);
}

void Runner::measure(Turn& turn, int round) {
  int workload = -1;
  try {
    begin_turn();
    auto started = session().start(turn.entrant->product.file);
    if (auto* failure = std::get_if<Failure>(&started)) return fail(turn, blank(turn, -1, round), *failure);
    for (const int timed : turn.entrant->timed) {
      workload = timed;
      if (!eligible(turn, blank(turn, workload, round), workload)) continue;
      measure(turn, round, workload);
      if (turn.out) return;
    }
    session().release();
  } catch (const DeviceLost& e) {
    fail(turn, blank(turn, workload, round), {"device lost", e.what()});
    lose_device();
  }
}

// One entry's samples. False: the contestant failed, and is out.
bool Runner::take_samples(Turn& turn, int workload, record::Entry& entry) {
  auto begun =
      session().begin(workload, entry.round, turn.owner, judges_seconds_[static_cast<std::size_t>(workload)]);
  if (auto* failure = std::get_if<Failure>(&begun)) return fail(turn, entry, *failure), false;
  entry.bytes = session().begun().bytes;
  entry.flops = session().begun().flops;
  const bool waits = turn.waits.contains(workload);
  entry.blocking = waits;
  const auto start = std::chrono::steady_clock::now();
  measure::Reason reason = measure::Reason::more;
  for (int index = 0; reason == measure::Reason::more; ++index) {
    auto sampled = session().sample(index, waits);
    if (auto* failure = std::get_if<Failure>(&sampled)) return fail(turn, entry, *failure), false;
    const auto& sample = std::get<protocol::Sampled>(sampled);
    entry.microseconds.push_back(sample.event_microseconds);
    entry.judge_microseconds.push_back(sample.judge_microseconds);
    entry.worst = std::max(entry.worst, sample.worst);
    entry.blocking = entry.blocking || sample.blocking != 0;
    entry.seeds.push_back(sample.seed);
    reason = stop(entry.microseconds, seconds_since(start), options_.stopping);
  }
  entry.stopped = measure::name_of(reason);
  const auto median = measure::median(entry.microseconds);
  entry.median = median.value;
  entry.low = median.low;
  entry.high = median.high;
  if (!take_together(turn, workload, entry)) return false;
  if (options_.columns && entry.round == 0 && !turn.twin && !take_columns(turn, workload, entry))
    return false;
  auto ended = session().end();
  if (auto* failure = std::get_if<Failure>(&ended)) return fail(turn, entry, *failure), false;
  return true;
}

// None on the CPU, whose caches the judge's flush may not reach.
double Runner::floor_of() {
  const auto& opened = session().device();
  if (protocol::get(opened.backend) == "host") return 0;
  if (copy_rate_ == 0) copy_rate_ = copy_rate();
  const auto& begun = session().begun();
  return measure::physical_floor({.read = begun.read, .written = begun.written, .stated = begun.bytes},
                                 static_cast<double>(opened.last_level_cache), copy_rate_);
}

// Why the judge's clock does not bear out the times of an entry.
std::optional<Failure> Runner::doubt(const record::Entry& entry) {
  const auto failure = [&](const measure::Attestation& found, const std::string& who) {
    return Failure{"clock",
                   fmt::format("reported {:.2f} µs a call, but by the judge's clock {} took {:.2f} µs "
                               "longer (tolerance {:.2f} µs)",
                               entry.median, who, found.excess, found.tolerance)};
  };
  const auto one = measure::attest(entry.microseconds, entry.judge_microseconds, overhead_of(entry));
  if (!(entry.median > 0) || !one.agrees) return failure(one, "it");
  const auto many = measure::attest_together(entry.median, entry.together.judge_microseconds,
                                             entry.together.calls, overhead_of(entry));
  if (!many.agrees) return failure(many, fmt::format("each of {} behind one gate", entry.together.calls));
  return std::nullopt;
}

// A clock that lies, or hidden work, disagrees with the judge's every time; a machine busier than a moment
// ago does not once the overhead has been measured anew.
void Runner::measure(Turn& turn, int round, int workload) {
  tell(turn, workload, round);
  units_done_ += 1;
  for (int attempt = 1;; ++attempt) {
    auto entry = blank(turn, workload, round);
    if (!take_samples(turn, workload, entry)) return;
    if (turn.waits.contains(workload) && !entry.blocking) {  // known only now
      entry = blank(turn, workload, round);
      if (!take_samples(turn, workload, entry)) return;
    }
    const auto doubted = doubt(entry);
    if (const double least = floor_of(); entry.median > 0 && entry.median < least)
      return fail(turn, entry,
                  {"too fast",
                   fmt::format("{:.2f} µs a call, where the device's memory allows no less than {:.2f} µs: "
                               "its work was not all done inside the call",
                               entry.median, least)});
    if (!doubted) return sink_(entry);
    if (attempt == attestation_attempts) return fail(turn, entry, *doubted);
    measure_overhead();
    auto started = session().start(turn.entrant->product.file);
    if (auto* failure = std::get_if<Failure>(&started)) return fail(turn, entry, *failure);
  }
}

}  // namespace podium::contest
