// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Times beside the one that ranks: hot, replayed from a graph, end to end.
#include <fmt/format.h>

#include "suite/contest/turn.hpp"
#include "suite/record/metrics.hpp"

namespace podium::contest {
namespace {

using protocol::Mode;

// A look at what is not ranked costs a few samples more, in one round of all; one, of calls that are longer
// than the budget.
constexpr measure::Stopping stopping{.least = 5, .most = 10, .relative = 0.02, .budget = 0.03};

}  // namespace

std::optional<Failure> Runner::take_column(record::Measurement& column, Mode mode, const record::Entry& entry,
                                           int first) {
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

// Graphs come last: what a capture that fails leaves behind is not known. False: the contestant failed, and
// is out.
bool Runner::take_columns(Turn& turn, int workload, record::Entry& entry) {
  const bool host = protocol::get(session().device().backend) == "host";
  const int first = column_tries * turn.tries;
  if (const auto failure = take_column(entry.measured[record::hot], Mode::hot, entry, first))
    return fail(turn, entry, *failure), false;
  if (!host)
    if (const auto failure = take_column(entry.measured[record::steady], Mode::steady, entry, first))
      return fail(turn, entry, *failure), false;
  if (host) {
    entry.measured[record::end_to_end].text = "on a CPU the cold time is it: nothing is launched";
    entry.measured[record::graph].text = "not capturable: a CPU has no graphs";
    return true;
  }
  if (entry.blocking) {
    entry.measured[record::end_to_end].text = "the cold time is it: the launch is in it";
    entry.measured[record::graph].text = "not capturable: it waits inside the call";
    return true;
  }
  if (const auto failure = take_column(entry.measured[record::end_to_end], Mode::end_to_end, entry, first))
    return fail(turn, entry, *failure), false;
  const auto failure = take_column(entry.measured[record::graph], Mode::graph, entry, first);
  if (!failure) return true;
  const bool refused = failure->verdict == Verdict::not_capturable;
  entry.measured[record::graph] = {
      .text = fmt::format("not capturable: {}{}",
                          refused ? "" : fmt::format("replayed, it is {}: ", word_of(failure->verdict)),
                          failure->text)};
  // A worker and an instance of which all is known again.
  auto started = session().start(turn.entrant->product.file);
  if (auto* again = std::get_if<Failure>(&started)) return fail(turn, entry, *again), false;
  auto begun =
      session().begin(workload, entry.round, turn.owner, judges_seconds_[static_cast<std::size_t>(workload)]);
  if (auto* again = std::get_if<Failure>(&begun)) return fail(turn, entry, *again), false;
  return true;
}

}  // namespace podium::contest
