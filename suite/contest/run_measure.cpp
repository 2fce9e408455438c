// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The timed rounds: samples of every contestant in random order, held against the judge's clock and the
// device's memory.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "suite/contest/telemetry.hpp"
#include "suite/contest/turn.hpp"
#include "suite/measure/floor.hpp"
#include "suite/measure/throttle.hpp"

namespace podium::contest {
namespace {

constexpr int attestation_attempts = 3;  // before a contestant is said to lie about its time
constexpr int starved_attempts = 6;  // where processes wait for processors, before the judge's times count
constexpr std::chrono::milliseconds rest_when_disturbed{100};

Failure disagreement(const record::Entry& entry, const measure::Attestation& found, const std::string& who) {
  return {Verdict::clock, fmt::format("reported {:.2f} µs a call, but by the judge's clock {} took {:.2f} µs "
                                      "longer (tolerance {:.2f} µs)",
                                      entry.median.value, who, found.excess, found.tolerance)};
}

}  // namespace

void Runner::meet_canary() {
  with_judge([&] {
    // What holds times of a GPU against its memory; the first board measures it.
    if (copy_rate_ == 0 && protocol::get(session().device().backend) != "host")
      copy_rate_ = session().memory_rates().copy;
    canaries_ = measure::Canaries(measure::canary_slack(protocol::get(session().device().backend)));
    for (std::size_t i = 0; i < measure::Canaries::enough; ++i) canaries_.add(session().canary());
  });
}

// The canary before an entry; a second, after a rest, if the device is disturbed; a third without parked
// workers, if these can be to blame.
std::vector<double> Runner::look_at_device() {
  std::vector<double> seen{session().canary()};
  if (canaries_.disturbed(seen.back())) {
    session().rest(rest_when_disturbed);
    seen.push_back(session().canary());
  }
  if (canaries_.disturbed(seen.back()) && session().parked_may_act()) {
    session().end_parked();
    seen.push_back(session().canary());
  }
  canaries_.add(seen.back());
  return seen;
}

void Runner::measure_round(std::vector<Turn>& turns, int round) {
  std::vector<std::size_t> order(turns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random_);
  for (const std::size_t at : order)
    if (!turns[at].out) measure(turns[at], round, turns[at].entrant->timed);
}

void Runner::measure(Turn& turn, int round, std::span<const int> workloads) {
  int workload = -1;
  try {
    begin_turn();
    auto started = session().start(turn.entrant->product.file, key_of(turn));
    if (auto* failure = std::get_if<Failure>(&started)) return fail(turn, blank(turn, -1, round), *failure);
    for (const int timed : workloads) {
      workload = timed;
      if (!eligible(turn, blank(turn, workload, round), workload)) continue;
      turn.tries = 0;
      measure(turn, round, workload);
      if (!turn.excused.empty()) measure_alone(turn, round, workload);
      if (turn.out) return;
    }
    session().park();
  } catch (const DeviceLost& e) {
    fail(turn, blank(turn, workload, round), {Verdict::device_lost, e.what()});
    lose_device();
  }
}

// Without those that may have been to blame, and from here on with one worker at a time: so there is one such
// excuse a board. The samples have other seeds than those that failed.
void Runner::measure_alone(Turn& turn, int round, int workload) {
  parks_ = false;
  turn.out = false;
  session().end_parked();
  auto started = session().start(turn.entrant->product.file);
  if (auto* failure = std::get_if<Failure>(&started))
    fail(turn, blank(turn, workload, round), *failure);
  else
    measure(turn, round, workload);
  turn.excused.clear();
}

// One entry's samples. False: the contestant failed, and is out.
bool Runner::take_samples(Turn& turn, int workload, record::Entry& entry) {
  auto begun =
      session().begin(workload, entry.round, turn.owner, judges_seconds_[static_cast<std::size_t>(workload)]);
  if (auto* failure = std::get_if<Failure>(&begun)) return fail(turn, entry, *failure), false;
  entry.bytes = session().begun().bytes;
  entry.written = session().begun().written;
  entry.flops = session().begun().flops;
  const bool waits = turn.waits.contains(workload);
  entry.blocking = waits;
  measure::Throttle throttle(reference_clock_);
  entry.reference_mhz = reference_clock_;
  const auto start = std::chrono::steady_clock::now();
  const double waited = session().waited();
  double rested = 0;  // seconds
  measure::Reason reason = measure::Reason::more;
  int index = try_indices * turn.tries++;
  session().begin_counting();
  while (reason == measure::Reason::more) {
    const auto taken = session().samples(index, {.waits = waits},
                                         {.rule = options_.stopping,
                                          .counted = entry.microseconds,
                                          .seconds = seconds_since(start) - rested,
                                          .least_clock = throttle.least_clock()});
    for (const protocol::Sampled& sample : taken.samples) {
      ++index;
      entry.worst = std::max(entry.worst, sample.worst);
      entry.left_out = std::max<std::int64_t>(entry.left_out, sample.left_out);
      entry.blocking = entry.blocking || sample.blocking != 0;
      const double clock = measure::sample_clock(sample.clock_before, sample.clock_after);
      // Another index gives other inputs: what was seen in a sample that does not count is of no use. It is
      // the last of those taken at once.
      if (!throttle.admits(clock)) {
        session().rest(std::chrono::duration<double>(throttle.rest()));
        rested += throttle.rest();
        continue;
      }
      entry.microseconds.push_back(sample.event_microseconds);
      entry.judge_microseconds.push_back(sample.judge_microseconds);
      entry.fill_microseconds.push_back(sample.fill_microseconds);
      entry.check_microseconds.push_back(sample.check_microseconds);
      entry.reference_microseconds.push_back(sample.reference_microseconds);
      entry.clock_mhz.push_back(clock);
      entry.seeds.push_back(sample.seed);
    }
    if (taken.failure) return fail(turn, entry, *taken.failure), false;
    reason = stop(entry.microseconds, seconds_since(start) - rested, options_.stopping);
  }
  turn.waited = session().waited() - waited;
  entry.discarded = throttle.discarded();
  entry.slow = throttle.slow();
  const auto counted = session().counted();
  entry.telemetry = telemetry_of(session().telemetry(), counted);
  entry.stopped = measure::name_of(reason);
  entry.median = measure::median(entry.microseconds);
  if (!take_together(turn, workload, entry, index)) return false;
  if (options_.energy && entry.round == 0 && !turn.twin && !take_energy(turn, workload, entry)) return false;
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
  const auto& begun = session().begun();
  return measure::physical_floor({.read = begun.read, .written = begun.written, .stated = begun.bytes},
                                 static_cast<double>(opened.last_level_cache), copy_rate_);
}

struct Runner::Doubt {
  Failure failure;
  // Processes waited for processors at least half as long as all that is unexplained: no time to accuse.
  bool starved;
  bool accuses;  // false: it looks the same for an honest contestant
};

// Why the judge's clock does not bear out the times of an entry, call by call.
std::optional<Runner::Doubt> Runner::doubt(const Turn& turn, const record::Entry& entry) {
  const auto found = measure::attest(entry.microseconds, entry.judge_microseconds, overhead_of(entry));
  const bool moves = entry.median.value > 0;
  if (moves && found.agrees) return std::nullopt;
  const double unexplained = found.excess * static_cast<double>(entry.microseconds.size());
  // Nothing excuses a clock that stands still, or goes back.
  return Doubt{disagreement(entry, found, "it"), moves && 2 * turn.waited >= unexplained,
               !moves || measure::certain(found, entry.blocking)};
}

// And where several were behind one gate, if any were. Busier moments than the calmest excuse nothing, for a
// lie would fit into what they add; but nobody is accused of it. Nor of calls that took less a moment ago,
// where those alone in between are reported to take as long as among several: the machine has changed, or
// one who lied tells the truth while it is looked at; the judge's times are the same for both.
std::optional<Runner::Doubt> Runner::doubt_together(const Turn& turn, int workload,
                                                    const record::Entry& entry) {
  const auto& [calls, reported, judged] = entry.together;
  const double median = entry.median.value;
  if (turn.between.empty() || turn.looks.at(workload).bear_out(median, calmest_for(entry)) ||
      borne_out_steady(turn, entry))
    return std::nullopt;
  const auto found = measure::attest_together(median, judged, calls, overhead_of(entry));
  const auto between =
      measure::attest_together(measure::median(turn.between).value, judged, calls, overhead_of(entry));
  return Doubt{disagreement(entry, found, fmt::format("each of {} behind one gate", calls)),
               2 * turn.waited_together >= found.excess * calls * static_cast<double>(judged.size()),
               measure::certain(found, entry.blocking) && !between.agrees};
}

// A clock that lies, or hidden work, disagrees with the judge's every time; a machine busier than a moment
// ago does not once the overhead has been measured anew. While it stays so busy that a lie would be lost in
// the scatter, or that calls wait for processors, nobody is accused, and nobody gains: the judge's times
// count.
void Runner::measure(Turn& turn, int round, int workload) {
  tell(turn, workload, round);
  units_done_ += 1;
  for (int attempt = 1;; ++attempt) {
    auto entry = blank(turn, workload, round);
    entry.canaries = look_at_device();
    if (!take_samples(turn, workload, entry)) return;
    if (turn.waits.contains(workload) && !entry.blocking) {  // known only now
      const auto canaries = std::exchange(entry, blank(turn, workload, round)).canaries;
      entry.canaries = canaries;
      if (!take_samples(turn, workload, entry)) return;
    }
    const auto alone = doubt(turn, entry), together = doubt_together(turn, workload, entry);
    const auto& doubted = alone ? alone : together;
    if (const double least = floor_of(); entry.median.value > 0 && entry.median.value < least)
      return fail(turn, entry,
                  {Verdict::too_fast,
                   fmt::format("{:.2f} µs a call, where the device's memory allows no less than {:.2f} µs: "
                               "its work was not all done inside the call",
                               entry.median.value, least)});
    if (!doubted) return sink_(entry);
    const bool calm = measure_in_calm(entry.blocking);
    const bool last_attempt = attempt >= (doubted->starved ? starved_attempts : attestation_attempts);
    if (last_attempt && doubted->accuses && calm && !doubted->starved)
      return fail(turn, entry, doubted->failure);
    const bool given_up = last_attempt || !calm;
    if (given_up) {
      if (!(entry.median.value > 0))
        return fail(turn, entry,
                    {Verdict::not_attested,
                     fmt::format("{}; the machine was too busy, also after rests, to tell whether that is "
                                 "hidden work: repeat the run when it has less to do",
                                 doubted->failure.text)});
      take_judges_word(entry);
      sink_(entry);
    }
    auto started = session().start(turn.entrant->product.file, key_of(turn));
    if (auto* failure = std::get_if<Failure>(&started)) return fail(turn, entry, *failure);
    if (given_up) return;
  }
}

}  // namespace podium::contest
