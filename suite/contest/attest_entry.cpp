// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/attest_entry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace podium::contest {
namespace {

Failure clock_failure(const record::Entry& entry, const measure::Attestation& found, const std::string& who) {
  return {Verdict::clock, fmt::format("reported {:.2f} µs a call, but by the judge's clock {} took {:.2f} µs "
                                      "longer (tolerance {:.2f} µs)",
                                      entry.median.value, who, found.excess, found.tolerance)};
}

}  // namespace

std::optional<Disagreement> disagreement_alone(const Competitor& competitor, const record::Entry& entry,
                                               const measure::Overhead& overhead) {
  const auto found = measure::attest(entry.microseconds, entry.judge_microseconds, overhead);
  const bool moves = entry.median.value > 0;
  if (moves && found.agrees) return std::nullopt;
  const double unexplained = found.excess * static_cast<double>(entry.microseconds.size());
  // Nothing excuses a clock that stands still, or goes back.
  return Disagreement{clock_failure(entry, found, "it"), moves && 2 * competitor.waited >= unexplained,
                      !moves || measure::certain(found, entry.blocking)};
}

// Busier moments than the calmest excuse nothing, for a lie would fit into what they add; but nobody is
// accused of it. Nor of calls that took less a moment ago, where those alone in between are reported to take
// as long as among several: the machine has changed, or one who lied tells the truth while it is looked at;
// the judge's times are the same for both.
std::optional<Disagreement> disagreement_together(const Competitor& competitor, int workload,
                                                  const record::Entry& entry, const ClockLimits& limits) {
  const auto& [calls, reported, judged] = entry.together;
  const double median = entry.median.value;
  if (competitor.between.empty() || competitor.looks.at(workload).confirms(median, limits.calmest) ||
      borne_out_alone(competitor, entry, limits))
    return std::nullopt;
  const auto found = measure::attest_together(median, judged, calls, limits.overhead);
  const auto between =
      measure::attest_together(measure::median(competitor.between).value, judged, calls, limits.overhead);
  return Disagreement{
      clock_failure(entry, found, fmt::format("each of {} behind one gate", calls)),
      2 * competitor.waited_together >= found.excess * calls * static_cast<double>(judged.size()),
      measure::certain(found, entry.blocking) && !between.agrees};
}

// Of several calls on a GPU each but the first pays for what the one before has written, which one alone does
// not. So much they may take longer as steady calls are reported to take longer than cold ones, both taken by
// themselves after the several, in random order, and no longer than writing takes. The cold ones among them
// must be as they were before: who lied until it was looked at is not borne out.
bool borne_out_alone(const Competitor& competitor, const record::Entry& entry, const ClockLimits& limits) {
  if (competitor.steady.empty()) return false;
  const double cold = measure::median(competitor.between).value;
  const double longer = std::clamp(measure::median(competitor.steady).value - cold, 0.0, limits.write_back);
  const auto found = measure::attest_together(entry.median.value + longer, entry.together.judge_microseconds,
                                              entry.together.calls, limits.overhead);
  return found.agrees && cold - entry.median.value <= found.tolerance;
}

void use_judges_times(record::Entry& entry, double constant) {
  for (std::size_t i = 0; i < entry.microseconds.size(); ++i)
    entry.microseconds[i] = std::max(entry.microseconds[i], entry.judge_microseconds[i] - constant);
  entry.median = measure::median(entry.microseconds);
  entry.judged = true;
  for (const record::Metric* metric : record::metrics())
    if (record::Measurement& measured = entry.measured[*metric];
        !metric->by_judges_clock && !measured.samples.empty())
      measured = {.text = "left out: the judge's clock does not confirm the worker's time"};
  entry.text =
      "timed by the judge's clock, which could not confirm the worker's: the machine was busy, or the call "
      "waits";
}

}  // namespace podium::contest
