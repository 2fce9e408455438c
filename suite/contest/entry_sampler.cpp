// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/entry_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "suite/base/known.hpp"
#include "suite/base/throttle_reason.hpp"
#include "suite/measure/disturbance.hpp"
#include "suite/measure/least_time.hpp"
#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/metrics.hpp"

namespace podium::contest {
namespace {

constexpr int most_together_samples = 5;  // behind one gate, before an entry's times are doubted
constexpr int alone_after = 2;  // calls by themselves, after several that do not bear out the median

record::Reading reading_of(const protocol::TelemetryIs& is) {
  return {.sm_clock_mhz = known(is.sm_clock),
          .memory_clock_mhz = known(is.memory_clock),
          .temperature_c = known(is.temperature),
          .power_w = known(is.power),
          .throttle = throttle_names(is.throttle)};
}

// From what the judge answers to what is recorded of an entry.
record::Telemetry telemetry_of(const protocol::TelemetryIs& is,
                               const std::optional<protocol::Counted>& counted) {
  record::Telemetry telemetry{
      .source = protocol::get(is.source), .end = reading_of(is), .counters = std::nullopt};
  if (counted && known(counted->seconds))
    telemetry.counters = {.seconds = counted->seconds,
                          .sm_active_percent = known(counted->sm_active),
                          .sm_occupancy_percent = known(counted->sm_occupancy),
                          .tensor_active_percent = known(counted->tensor_active),
                          .memory_bandwidth_percent = known(counted->memory_bandwidth)};
  return telemetry;
}

}  // namespace

std::optional<Failure> EntrySampler::begin(const Competitor& competitor, int workload, int round) {
  return session().begin(workload, round, competitor.owner, board_.judges_seconds(workload));
}

std::optional<Failure> EntrySampler::take(Competitor& competitor, int workload, record::Entry& entry) {
  if (const auto failure = begin(competitor, workload, entry.round)) return failure;
  entry.bytes = session().begun().bytes;
  entry.written = session().begun().written;
  entry.flops = session().begun().flops;
  if (!competitor.twin) take_constructor(entry);
  entry.blocking = competitor.waits.contains(workload);
  int index = try_indices * competitor.tries++;
  if (const auto failure = take_ranked(competitor, entry, index)) return failure;
  if (const auto failure = take_together(competitor, workload, entry, index)) return failure;
  const bool beside = entry.round == 0 && !competitor.twin;
  if (ranks_of(board_.plan) > 1) take_link(workload, entry);
  if (run_.options.energy && beside && ranks_of(board_.plan) == 1)
    if (const auto failure = take_energy(workload, entry)) return failure;
  if (run_.options.columns && beside)
    if (const auto failure = take_columns(competitor, workload, entry)) return failure;
  return session().end();
}

void EntrySampler::take_constructor(record::Entry& entry) {
  const double took = session().begun().constructor_microseconds;
  if (took > 0 && std::isfinite(took))
    entry.measured[record::constructor] = {.samples = {took},
                                           .median = {.value = took, .low = took, .high = took}};
}

// How fast the ranks moved what they had to tell each other, and how far apart they began.
void EntrySampler::take_link(int workload, record::Entry& entry) {
  const double rate = 1e6 * board_.instance(workload).link / entry.median.value, gigabyte = 1e9;
  auto& numbers = entry.measured[record::skew].numbers;
  numbers = {{record::skew.key, record::number(measure::median(skews_).value)}};
  if (!(rate > 0) || !std::isfinite(rate)) return;
  numbers[record::bus_rate.key] = record::number(rate / gigabyte);
  if (run_.link_rate > 0) numbers[record::link_share.key] = record::number(100 * rate / run_.link_rate);
}

// `index`: of the first sample; afterwards, of the first not yet taken in this try.
std::optional<Failure> EntrySampler::take_ranked(Competitor& competitor, record::Entry& entry, int& index) {
  skews_.clear();
  const bool waits = entry.blocking;
  const measure::Stopping& stopping = run_.options.stopping;
  measure::Throttle throttle(run_.reference_clock);
  entry.reference_mhz = run_.reference_clock;
  const auto start = std::chrono::steady_clock::now();
  const double waited = session().waited();
  double rested = 0;  // seconds
  measure::Reason reason = measure::Reason::more;
  session().begin_counting();
  while (reason == measure::Reason::more) {
    const auto taken = session().samples(index, {.waits = waits},
                                         {.rule = stopping,
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
      skews_.push_back(sample.skew_microseconds);
      entry.judge_microseconds.push_back(sample.judge_microseconds);
      entry.fill_microseconds.push_back(sample.fill_microseconds);
      entry.check_microseconds.push_back(sample.check_microseconds);
      entry.reference_microseconds.push_back(sample.reference_microseconds);
      entry.clock_mhz.push_back(clock);
      entry.seeds.push_back(sample.seed);
    }
    if (taken.failure) return taken.failure;
    reason = stop(entry.microseconds, seconds_since(start) - rested, stopping);
  }
  competitor.waited = session().waited() - waited;
  entry.discarded = throttle.discarded();
  entry.slow = throttle.slow();
  const auto counted = session().counted();
  entry.telemetry = telemetry_of(session().telemetry(), counted);
  entry.stopped = measure::name_of(reason);
  entry.median = measure::median(entry.microseconds);
  return std::nullopt;
}

// None on the CPU, whose caches the judge's flush may not reach.
double EntrySampler::least_time() {
  const auto& opened = session().device();
  if (!session().backend().device_memory) return 0;
  const auto& begun = session().begun();
  return measure::physical_floor({.read = begun.read, .written = begun.written, .stated = begun.bytes},
                                 static_cast<double>(opened.last_level_cache), run_.copy_rate);
}

ClockLimits EntrySampler::limits_for(const record::Entry& entry) {
  return {.overhead = board_.monitor().overhead(entry.blocking),
          .calmest = board_.monitor().calmest(entry.blocking),
          .write_back = write_back()};
}

double EntrySampler::write_back() {
  const auto& opened = session().device();
  if (!session().backend().device_memory || run_.copy_rate == 0) return 0;
  return std::min(session().begun().written, static_cast<double>(opened.last_level_cache)) / run_.copy_rate *
         1e6;
}

// Short calls, several at a time: a lie that is lost in the scatter of the judge's clock over one call is
// seen in the sum of several.
//
// In the round itself, whatever others showed: what is held against the judge's clock is what was reported a
// moment ago. Filling and verifying several times the tensors costs more than an entry; so it is done until
// what was reported is borne out, once where it stays, and not of the baseline's twin, which is the same
// plugin. Who lies cannot know the number of calls before.
std::optional<Failure> EntrySampler::take_together(Competitor& competitor, int workload, record::Entry& entry,
                                                   int index) {
  competitor.between.clear();
  competitor.steady.clear();
  if (competitor.twin) return std::nullopt;
  measure::Looks& looks = competitor.looks[workload];
  const double median = entry.median.value;
  const ClockLimits limits = limits_for(entry);
  if (looks.confirms(median, limits.calmest)) return std::nullopt;
  const measure::Calls range = measure::calls_together(median, limits.overhead, session().begun().most_calls);
  if (range.most < 2) return std::nullopt;  // long, or no room: each call is held against the clock by itself
  const int calls = std::uniform_int_distribution(range.least, range.most)(run_.random);
  const double waited = session().waited();
  using protocol::Mode;
  const auto take = [&](int at, int together,
                        Mode mode = Mode::cold) -> std::variant<protocol::Sampled, Failure> {
    auto sampled =
        session().sample(at, Session::How{.waits = entry.blocking, .calls = together, .mode = mode});
    if (const auto* sample = std::get_if<protocol::Sampled>(&sampled))
      entry.worst = std::max(entry.worst, sample->worst);
    return sampled;
  };
  for (int taken = 0; taken < most_together_samples; ++taken) {
    const auto sampled = take(together_index + together_tries * competitor.tries + taken * calls, calls);
    if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
    const auto& sample = std::get<protocol::Sampled>(sampled);
    if (sample.blocking && !entry.blocking) {  // it waits in one call for another: to be measured as waiting
      competitor.waits.insert(workload);
      looks.forget();
      return std::nullopt;
    }
    entry.together.calls = calls;
    entry.together.microseconds.push_back(sample.event_microseconds);
    entry.together.judge_microseconds.push_back(sample.judge_microseconds);
    looks.see(sample.judge_microseconds, calls);
    competitor.waited_together = session().waited() - waited;
    if (looks.confirms(median, limits.calmest)) return std::nullopt;
    std::vector<Mode> modes(alone_after, Mode::cold);
    if (limits.write_back > 0) modes.insert(modes.end(), alone_after, Mode::steady);
    std::ranges::shuffle(modes, run_.random);
    for (const Mode mode : modes) {
      const auto alone = take(index++, 1, mode);
      if (const auto* failure = std::get_if<Failure>(&alone)) return *failure;
      (mode == Mode::steady ? competitor.steady : competitor.between)
          .push_back(std::get<protocol::Sampled>(alone).event_microseconds);
    }
    if (borne_out_alone(competitor, entry, limits)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace podium::contest
