// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Short calls, several at a time behind one gate: a lie that is lost in the scatter of the judge's clock over
// one call is seen in the sum of eight.
#include "suite/base/pressure.hpp"
#include "suite/contest/turn.hpp"

namespace podium::contest {
namespace {

constexpr int most_samples = 5;  // before an entry's times are doubted

}  // namespace

// From which round on each contestant's calls on each workload are looked at so. Filling and verifying eight
// times the tensors costs more than an entry: it is done until what was reported is borne out, once where it
// is true, and not of the baseline's twin, which is the same plugin. Nobody who runs there knows when.
void Runner::draw_together(std::vector<Turn>& turns) {
  for (Turn& turn : turns)
    for (const int workload : turn.twin ? std::vector<int>{} : turn.entrant->timed)
      turn.looks.emplace(workload,
                         measure::Looks(std::uniform_int_distribution(0, options_.rounds - 1)(random_)));
}

// One such sample; further ones only while the judge's clock disagrees with this round's median, or with the
// least of all rounds. False: the contestant failed, and is out.
bool Runner::take_together(Turn& turn, int workload, record::Entry& entry) {
  const auto found = turn.looks.find(workload);
  if (found == turn.looks.end()) return true;
  measure::Looks& looks = found->second;
  const double median = entry.median.value;
  if (!looks.due(median, entry.round, calmest_for(entry))) return true;
  const measure::Overhead& overhead = overhead_of(entry);
  const int calls = measure::calls_together(looks.least(median), overhead, session().begun().most_calls);
  if (calls < 2)
    return true;  // long in every round so far, or no room: each call is held against the clock by itself
  const double waited = waited_for_processors();
  for (int taken = 0; taken < most_samples; ++taken) {
    const auto sampled = session().sample(together_index + together_tries * turn.tries + taken * calls,
                                          Session::How{.waits = entry.blocking, .calls = calls});
    if (const auto* failure = std::get_if<Failure>(&sampled)) return fail(turn, entry, *failure), false;
    const auto& sample = std::get<protocol::Sampled>(sampled);
    if (sample.blocking && !entry.blocking) {  // it waits in one call for another: to be measured as waiting
      turn.waits.insert(workload);
      looks.forget();
      return true;
    }
    entry.together.calls = calls;
    entry.together.microseconds.push_back(sample.event_microseconds);
    entry.together.judge_microseconds.push_back(sample.judge_microseconds);
    entry.worst = std::max(entry.worst, sample.worst);
    looks.see(sample.judge_microseconds, calls);
    turn.waited_together = waited_for_processors() - waited;
    if (measure::attest_together(median, entry.together.judge_microseconds, calls, overhead).agrees &&
        looks.standing(median, calmest_for(entry)).agrees)
      return true;
  }
  return true;
}

}  // namespace podium::contest
