// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Beside the time that ranks: hot, replayed from a graph, end to end, and the energy of a call.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "suite/contest/entry_sampler.hpp"
#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/metrics.hpp"

namespace podium::contest {
namespace {

using protocol::Mode;

// A look at what is not ranked costs a few samples more, in one round of all; one, of calls that are longer
// than the budget.
constexpr measure::Stopping stopping{.least = 5, .most = 10, .relative = 0.02, .budget = 0.03};

constexpr int first_repeated = 3'000'000;  // of these samples' seeds
constexpr double first_look = 0.1;         // seconds; to see how long a call takes when it follows another
constexpr double looked_at = 1.2;          // seconds; the first 0.2 of them are not used

// Of the tensors that contestants change in place, the first; empty: none.
std::string changed_in_place(const problem::Instance& instance) {
  const auto found = std::ranges::find_if(instance.tensors, [](const auto& tensor) {
    return tensor.visible && tensor.role == problem::Role::inout;
  });
  return found == instance.tensors.end() ? "" : found->name;
}

}  // namespace

std::optional<Failure> EntrySampler::take_column(record::Measurement& column, Mode mode,
                                                 const record::Entry& entry, int first) {
  int index = column_index + static_cast<int>(mode) * column_indices + first;
  const Session::How how{.waits = entry.blocking, .mode = mode};
  // The first finds a workspace or a graph that no call has touched in this way: not timed, but where a call
  // is so long that this is nothing.
  if (mode != Mode::end_to_end && entry.median.value < 1e6 * stopping.budget) {
    const auto sampled = session().sample(index++, how);
    if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
  }
  const auto start = std::chrono::steady_clock::now();
  for (measure::Reason reason = measure::Reason::more; reason == measure::Reason::more;) {
    const auto taken = session().samples(
        index, how, {.rule = stopping, .counted = column.samples, .seconds = seconds_since(start)});
    for (const auto& sample : taken.samples) column.samples.push_back(sample.event_microseconds);
    index += static_cast<int>(taken.samples.size());
    if (taken.failure) return taken.failure;
    reason = stop(column.samples, seconds_since(start), stopping);
  }
  column.median = measure::median(column.samples);
  return std::nullopt;
}

// Graphs come last: what a capture that fails leaves behind is not known.
std::optional<Failure> EntrySampler::take_columns(const Competitor& competitor, int workload,
                                                  record::Entry& entry) {
  const bool gpu = session().backend().gpu;
  const int first = column_tries * competitor.tries;
  if (const auto failure = take_column(entry.measured[record::hot], Mode::hot, entry, first)) return failure;
  if (gpu)
    if (const auto failure = take_column(entry.measured[record::steady], Mode::steady, entry, first))
      return failure;
  if (!gpu) {
    entry.measured[record::end_to_end].text = "on a CPU nothing is launched: see the cold time";
    entry.measured[record::graph].text = "not capturable: a CPU has no graphs";
    return std::nullopt;
  }
  if (entry.blocking) {
    entry.measured[record::end_to_end].text = "the cold time includes the launch";
    entry.measured[record::graph].text = "not capturable: it waits inside the call";
    return std::nullopt;
  }
  if (const auto failure = take_column(entry.measured[record::end_to_end], Mode::end_to_end, entry, first))
    return failure;
  const auto failure = take_column(entry.measured[record::graph], Mode::graph, entry, first);
  if (!failure) return std::nullopt;
  const bool refused = failure->verdict == Verdict::not_capturable;
  entry.measured[record::graph] = {
      .text = fmt::format("not capturable: {}{}",
                          refused ? "" : fmt::format("replayed, it is {}: ", word_of(failure->verdict)),
                          failure->text)};
  // A worker and an instance of which all is known again.
  if (const auto again = session().workers().start(competitor.entrant->product.file)) return again;
  return begin(competitor, workload, entry.round);
}

// The same call again and again, between two steps of the device's counter.
std::optional<Failure> EntrySampler::take_energy(int workload, record::Entry& entry) {
  record::Measurement& energy = entry.measured[record::energy];
  const auto& instance = board_.instance(workload);
  if (const std::string name = changed_in_place(instance); !name.empty()) {
    energy.text = fmt::format("{} is changed in place: a second call would not compute the same", name);
    return std::nullopt;
  }
  if (const auto now = session().telemetry(true); std::isnan(now.energy)) {
    energy.text = fmt::format("the device reports no energy ({})", protocol::get(now.source));
    return std::nullopt;
  }
  // Not the cold time but that of calls in a row decides how many fill the time.
  double microseconds = entry.median.value;
  protocol::Sampled repeated{};
  for (const double seconds : {first_look, looked_at}) {
    const int calls = measure::repeats_for(seconds, microseconds, protocol::most_repeats);
    const auto sampled = session().sample(first_repeated + (seconds == looked_at),
                                          Session::How{.waits = entry.blocking,
                                                       .calls = calls,
                                                       .mode = protocol::Mode::repeated,
                                                       .seconds = 1e-6 * microseconds * calls});
    if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
    repeated = std::get<protocol::Sampled>(sampled);
    microseconds = repeated.judge_microseconds / repeated.calls;
    entry.worst = std::max(entry.worst, repeated.worst);
  }
  if (std::isnan(repeated.watts)) {
    energy.text = fmt::format("the device's energy counter changed too rarely in {:.2f} s",
                              1e-6 * repeated.judge_microseconds);
    return std::nullopt;
  }
  energy.numbers = {{record::energy.key, record::number(repeated.watts * microseconds)},
                    {record::watts.key, record::number(repeated.watts)},
                    {"microseconds", record::number(microseconds)},
                    {"calls", repeated.calls}};
  return std::nullopt;
}

}  // namespace podium::contest
