// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge's interval holds beside a call, and when the machine is calm enough to accuse or to excuse
// by it: whoever loads the machine must not gain from the scatter.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "suite/contest/turn.hpp"

namespace podium::contest {
namespace {

constexpr int process_attempts = 3;  // of the empty contestant, on a machine that ends its process
constexpr int looks = 3;             // for a calm moment
constexpr std::chrono::milliseconds rest_between_looks{300};

measure::Overhead& of(Overheads& overheads, bool waits) {
  return waits ? overheads.waiting : overheads.usual;
}

}  // namespace

// By a contestant that does nothing. A machine that ends its process is forgiven a few times.
void Runner::measure_overhead() {
  for (int attempt = 1;; ++attempt) {
    const auto measured =
        with_judge([&] { return contest::measure_overhead(session(), board_->timed.front()); });
    if (const auto* overheads = std::get_if<Overheads>(&measured)) {
      overheads_ = *overheads;
      measured_[board_] = overheads_;
      reference_clock_ = std::max(reference_clock_, overheads_.clock);
      return;
    }
    const auto& failure = std::get<Failure>(measured);
    if (attempt == process_attempts)
      throw Error(
          fmt::format("the trusted empty contestant failed: {}: {}", word_of(failure.verdict), failure.text),
          Exit::no_device);
  }
}

void Runner::meet_overhead() {
  measure_overhead();
  calmest_ = overheads_;
}

// Measured anew, for an entry that is doubted. False: the machine is busier than when the board was calmest,
// after rests, too; what the calmest moment showed is in force again.
bool Runner::measure_in_calm(bool waits) {
  for (int look = 0; look < looks; ++look) {
    if (look > 0) session().rest(look * rest_between_looks);
    measure_overhead();
    const bool calm = measure::as_calm(of(overheads_, waits), of(calmest_, waits));
    calmest_ = calmer(overheads_, calmest_);
    if (calm) return true;
  }
  overheads_ = measured_[board_] = calmest_;
  return false;
}

// Where the machine is too busy to tell a lie from a late wake-up: times by the judge's clock, which are no
// shorter than the true ones, and charge an honest contestant for the noise.
void Runner::take_judges_word(record::Entry& entry) {
  const double constant = of(calmest_, entry.blocking).constant;
  for (std::size_t i = 0; i < entry.microseconds.size(); ++i)
    entry.microseconds[i] = std::max(entry.microseconds[i], entry.judge_microseconds[i] - constant);
  entry.median = measure::median(entry.microseconds);
  entry.judged = true;
  for (const record::Metric* metric : record::metrics())
    if (record::Measurement& measured = entry.measured[*metric]; !measured.samples.empty())
      measured = {.text = "left out: the worker's word, which the judge's clock does not bear out"};
  entry.text =
      "timed by the judge's clock: the machine was busy, or the call waits, and it could not be told "
      "whether the worker's is true";
}

}  // namespace podium::contest
