// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Short calls, several at a time behind one gate: a lie that is lost in the scatter of the judge's clock over
// one call is seen in the sum of several.
#include <algorithm>
#include <optional>
#include <vector>

#include "suite/contest/turn.hpp"

namespace podium::contest {
namespace {

constexpr int most_samples = 5;  // before an entry's times are doubted
constexpr int alone_after = 2;   // calls by themselves, after several that do not bear out the median

}  // namespace

// Microseconds that the device's memory takes for what a call can leave in its last cache to be written.
double Runner::write_back() const {
  const auto& opened = session_->device();
  if (protocol::get(opened.backend) == "host" || copy_rate_ == 0) return 0;
  return std::min(session_->begun().written, static_cast<double>(opened.last_level_cache)) / copy_rate_ * 1e6;
}

// Of several calls on a GPU each but the first pays for what the one before has written, which one alone does
// not. So much they may take longer as steady calls are reported to take longer than cold ones, both taken by
// themselves after the several, in random order, and no longer than writing takes. The cold ones among them
// must be as they were before: who lied until it was looked at is not borne out.
bool Runner::borne_out_steady(const Turn& turn, const record::Entry& entry) const {
  if (turn.steady.empty()) return false;
  const double cold = measure::median(turn.between).value, steady = measure::median(turn.steady).value;
  const double longer = std::clamp(steady - cold, 0.0, write_back());
  const auto found = measure::attest_together(entry.median.value + longer, entry.together.judge_microseconds,
                                              entry.together.calls, overhead_of(entry));
  return found.agrees && cold - entry.median.value <= found.tolerance;
}

// In the round itself, whatever others showed: what is held against the judge's clock is what was reported a
// moment ago. Filling and verifying several times the tensors costs more than an entry; so it is done until
// what was reported is borne out, once where it stays, and not of the baseline's twin, which is the same
// plugin. Who lies cannot know the number of calls before. `index`: of the first sample not yet taken in this
// try. False: the contestant failed, and is out.
bool Runner::take_together(Turn& turn, int workload, record::Entry& entry, int index) {
  turn.between.clear();
  turn.steady.clear();
  if (turn.twin) return true;
  measure::Looks& looks = turn.looks[workload];
  const double median = entry.median.value;
  if (looks.confirms(median, calmest_for(entry))) return true;
  const measure::Overhead& overhead = overhead_of(entry);
  const measure::Calls range = measure::calls_together(median, overhead, session().begun().most_calls);
  if (range.most < 2) return true;  // long, or no room: each call is held against the clock by itself
  const int calls = std::uniform_int_distribution(range.least, range.most)(random_);
  const double waited = session().waited();
  using protocol::Mode;
  const auto take = [&](int at, int together, Mode mode = Mode::cold) -> std::optional<protocol::Sampled> {
    const auto sampled =
        session().sample(at, Session::How{.waits = entry.blocking, .calls = together, .mode = mode});
    if (const auto* failure = std::get_if<Failure>(&sampled)) {
      fail(turn, entry, *failure);
      return std::nullopt;
    }
    const auto& sample = std::get<protocol::Sampled>(sampled);
    entry.worst = std::max(entry.worst, sample.worst);
    return sample;
  };
  for (int taken = 0; taken < most_samples; ++taken) {
    const auto sample = take(together_index + together_tries * turn.tries + taken * calls, calls);
    if (!sample) return false;
    if (sample->blocking && !entry.blocking) {  // it waits in one call for another: to be measured as waiting
      turn.waits.insert(workload);
      looks.forget();
      return true;
    }
    entry.together.calls = calls;
    entry.together.microseconds.push_back(sample->event_microseconds);
    entry.together.judge_microseconds.push_back(sample->judge_microseconds);
    looks.see(sample->judge_microseconds, calls);
    turn.waited_together = session().waited() - waited;
    if (looks.confirms(median, calmest_for(entry))) return true;
    std::vector<Mode> modes(alone_after, Mode::cold);
    if (write_back() > 0) modes.insert(modes.end(), alone_after, Mode::steady);
    std::ranges::shuffle(modes, random_);
    for (const Mode mode : modes) {
      const auto alone = take(index++, 1, mode);
      if (!alone) return false;
      (mode == Mode::steady ? turn.steady : turn.between).push_back(alone->event_microseconds);
    }
    if (borne_out_steady(turn, entry)) return true;
  }
  return true;
}

}  // namespace podium::contest
