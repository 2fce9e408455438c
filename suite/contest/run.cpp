// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "suite/contest/entry_sampler.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::contest {
namespace {

constexpr int verified_samples = 2;      // one for each poison
constexpr int attestation_attempts = 3;  // before a contestant is said to lie about its time
constexpr int starved_attempts = 6;  // where processes wait for processors, before the judge's times count

// Who writes where others compute.
bool another_can_cause(const Failure& failure) {
  static constexpr std::array caused{Verdict::wrong, Verdict::not_written, Verdict::input_changed,
                                     Verdict::out_of_bounds};
  return std::ranges::find(caused, failure.verdict) != caused.end();
}

constexpr int first_other = 3'000'000;  // index of the calls before; its poison is that of index 0

// Where a verdict named a call: what it was, by its index.
struct CallKind {
  protocol::Mode mode = protocol::Mode::cold;
  int before = 0;         // calls of the instance before it
  bool together = false;  // behind one gate with others
};

CallKind call_kind(int call) {
  if (call >= column_index) {
    const int mode = (call - column_index) / column_indices;
    return {.mode = static_cast<protocol::Mode>(std::min(mode, static_cast<int>(protocol::Mode::steady))),
            .before = (call - column_index) % column_tries};
  }
  if (call >= together_index) return {.before = 2, .together = true};  // both poisons come before
  return {.before = call % try_indices};
}

// A call that a verdict named, made again: its inputs, its place in memory, its structure and what of its
// outputs is verified, after as many calls with other inputs as the instance had before. What failed.
std::optional<Failure> replay_call(Context& run, const BoardState& board, const Competitor& competitor,
                                   int workload, record::Entry& entry) {
  const Replay& wanted = *run.options.replay;
  Session& session = run.sessions.get();
  const CallKind kind = call_kind(wanted.call);
  if (const auto failure = session.begin(workload, -1, competitor.owner, board.judges_seconds(workload),
                                         run.options.full, wanted.structure))
    return failure;
  for (int other = 0; other < kind.before; ++other) {
    const auto sampled = session.sample(first_other + other, Session::How{.mode = kind.mode});
    // Whether its outputs are right is not asked of this one.
    if (const auto* failure = std::get_if<Failure>(&sampled); failure && failure->again.empty())
      return *failure;
  }
  const auto sampled = session.sample(
      wanted.call, Session::How{.calls = kind.together ? std::max(1, session.begun().most_calls) : 1,
                                .mode = kind.mode,
                                .seed = wanted.seed});
  if (const auto* failure = std::get_if<Failure>(&sampled)) return *failure;
  const auto& sample = std::get<protocol::Sampled>(sampled);
  entry.text = protocol::get(sample.text);
  entry.worst = sample.worst;
  if (sample.exact >= 0) entry.exact = sample.exact;
  entry.left_out = sample.left_out;
  entry.blocking = sample.blocking != 0;
  entry.seeds.push_back(sample.seed);
  return session.end();
}

}  // namespace

BoardRunner::BoardRunner(Executables executables, const RunOptions& options, Sink sink)
    : run_{.options = options,
           .sessions = Sessions(std::move(executables), options.device, options.limits),
           .random = std::mt19937_64(options.order_seed)},
      sink_(std::move(sink)) {}

protocol::Calibrated BoardRunner::memory_rates() {
  return run_.sessions.with_judge([&] { return run_.sessions.get().memory_rates(); });
}

std::map<const BoardPlan*, Overheads> BoardRunner::overheads() const {
  std::map<const BoardPlan*, Overheads> all;
  for (const auto& [plan, board] : boards_)
    if (const auto& overheads = board->monitor().overheads()) all.emplace(plan, *overheads);
  return all;
}

void BoardRunner::run(const std::vector<BoardPlan>& boards, const ProgressReporter::Watch& watch,
                      const Step& before, const Step& after) {
  progress_ = ProgressReporter(watch, boards, run_.options.rounds);
  for (const BoardPlan& board : boards) {
    if (before) before(board);
    progress_.begin_board(board);
    try {
      if (!board.unmet.empty())
        leave_out(board);
      else if (!board.broken)
        run(board);
    } catch (const ProblemFault& e) {  // of this board alone
      faults_.push_back(e.what());
    }
    if (after) after(board);
  }
  leave();
}

// Every contestant gets its row, which says why.
void BoardRunner::leave_out(const BoardPlan& plan) {
  const BoardState board(run_, plan);
  for (const auto& entrant : plan.entrants) {
    Competitor competitor{.entrant = &entrant};
    fail(competitor, board.blank(competitor, -1, -1), {Verdict::unsupported, plan.unmet});
  }
  leave();
}

BoardState& BoardRunner::enter(const BoardPlan& plan) {
  board_ = nullptr;
  run_.sessions.enter(plan);
  auto& board = boards_[&plan] = std::make_unique<BoardState>(run_, plan);
  board_ = board.get();
  board_->prepare();
  return *board_;
}

void BoardRunner::leave() {
  board_ = nullptr;
  run_.sessions.leave();
}

void BoardRunner::run(const BoardPlan& board) {
  enter(board);
  std::vector<Competitor> competitors;
  std::uint64_t owner = 0;
  for (const auto& entrant : board.entrants) {
    if (entrant.out) continue;
    Competitor competitor{.entrant = &entrant};
    competitor.owner = ++owner;  // nobody else's, also if this one fails
    if (run_.options.replay)
      replay(competitor);
    else
      verify(competitor);
    if (competitor.out || entrant.timed.empty()) continue;
    competitors.push_back(competitor);
  }
  if (const auto baseline =
          std::find_if(competitors.begin(), competitors.end(),
                       [&](const Competitor& t) { return t.entrant->contestant.name == board.baseline; });
      baseline != competitors.end() && !board.twin_out) {
    Competitor twin = *baseline;
    twin.twin = true;
    twin.owner = ++owner;
    competitors.push_back(twin);
  }
  if (competitors.empty() || board.timed.empty() || board.first_round >= run_.options.rounds) return;
  board_->monitor().begin();
  for (int round = board.first_round; round < run_.options.rounds; ++round) measure_round(competitors, round);
}

// With what the judge has checked since the entry before: also in tries that this one replaces.
void BoardRunner::deliver(record::Entry entry) {
  if (Session* session = run_.sessions.started()) {
    const protocol::Checked checked = session->take_checked();
    entry.checked = {.calls = checked.calls,
                     .elements = checked.elements,
                     .compared = checked.compared,
                     .examined = checked.examined,
                     .bytes = checked.bytes};
  }
  sink_(entry);
}

// Blame is given where it is proven: a worker that is parked shares the arena with the one on turn.
void BoardRunner::fail(Competitor& competitor, record::Entry entry, const Failure& failure) {
  if (entry.round >= 0 && another_can_cause(failure) && run_.sessions.started() &&
      run_.sessions.started()->workers().parked_may_act()) {
    competitor.excused = fmt::format("{}: {}", word_of(failure.verdict), failure.text);
    competitor.out = true;
    return;
  }
  entry.verdict = failure.verdict;
  entry.text = failure.text;
  entry.printed = failure.printed;
  if (!failure.again.empty()) entry.again = command_of(competitor, entry) + " " + failure.again;
  competitor.out = true;
  competitor.failure = entry;
  deliver(std::move(entry));
}

// No failure: it takes part in the rest, from a new process, since nobody knows what it left behind.
void BoardRunner::decline(Competitor& competitor, record::Entry entry, const Failure& failure) {
  entry.verdict = failure.verdict;
  entry.text = failure.text;
  deliver(entry);
  if (const auto again = start(competitor, board_->parking_key(competitor))) fail(competitor, entry, *again);
}

// A contestant may decline a workload when it is first asked for a time, and keeps to that: one that chose
// its rounds would choose its times, or leave the others without a round that all have.
void BoardRunner::fail_in_round(Competitor& competitor, record::Entry entry, int workload,
                                const Failure& failure) {
  const bool declines = failure.verdict == Verdict::unsupported;
  const bool first = !competitor.asked.contains(workload);
  if (declines ? !first : failure.verdict == Verdict::missing_library && !competitor.asked.empty())
    return fail(competitor, entry,
                {Verdict::threw, fmt::format("declined in round {} what it had computed before: {}",
                                             entry.round + 1, failure.text)});
  if (!declines) return fail(competitor, entry, failure);
  competitor.declined.insert(workload);
  decline(competitor, std::move(entry), failure);
}

// Whether the contestant's `when` holds on the workload; if not, `entry` is its row there. One that has no
// value puts it out.
bool BoardRunner::eligible(Competitor& competitor, record::Entry entry, int workload) {
  const auto& when = competitor.entrant->contestant.when;
  const auto& instance = board_->instance(workload);
  try {
    if (when.text.empty() || evaluate(*board_->plan.problem, instance, when) != 0) return true;
  } catch (const Error& e) {
    return fail(competitor, entry, {Verdict::bad_file, e.what()}), false;
  }
  entry.verdict = Verdict::unsupported;
  entry.text = fmt::format("`when: {}` does not hold", when.text);
  deliver(std::move(entry));
  return false;
}

void BoardRunner::verify(Competitor& competitor) {
  const auto& product = competitor.entrant->product;
  if (product.status != compile::Product::Status::built) {
    return fail(competitor, board_->blank(competitor, -1, -1), {verdict_of(product.status), product.message});
  }
  const auto verified = [&](int test) { return competitor.entrant->verified.contains(test); };
  if (std::ranges::all_of(board_->plan.tests, verified)) return;
  int workload = -1;
  try {
    progress_.tell(board_->blank(competitor, board_->plan.tests.front(), -1));
    run_.sessions.refresh();
    const std::string key = board_->parking_key(competitor);
    if (const auto failure = start(competitor, key))
      return fail(competitor, board_->blank(competitor, -1, -1), *failure);
    for (const int test : board_->plan.tests) {
      if (verified(test)) continue;
      workload = test;
      progress_.tell(board_->blank(competitor, workload, -1));
      progress_.count_entry();
      auto entry = board_->blank(competitor, workload, -1);
      if (!eligible(competitor, entry, workload)) {
        if (competitor.out) return;
        continue;
      }
      if (const auto failure = run_.sessions.get().begin(
              workload, -1, competitor.owner, board_->judges_seconds(workload), run_.options.full)) {
        if (failure->verdict != Verdict::unsupported) return fail(competitor, entry, *failure);
        decline(competitor, std::move(entry), *failure);
        if (competitor.out) return;
        continue;
      }
      for (int index = 0; index < verified_samples; ++index) {
        auto sampled = run_.sessions.get().sample(index);
        if (auto* failure = std::get_if<Failure>(&sampled)) return fail(competitor, entry, *failure);
        const auto& sample = std::get<protocol::Sampled>(sampled);
        if (index == 0 || sample.worst > entry.worst) entry.text = protocol::get(sample.text);
        entry.worst = std::max(entry.worst, sample.worst);
        if (sample.exact >= 0) entry.exact = std::max(entry.exact, sample.exact);
        entry.left_out = std::max<std::int64_t>(entry.left_out, sample.left_out);
        entry.blocking = sample.blocking != 0;
        entry.seeds.push_back(sample.seed);
      }
      if (const auto failure = run_.sessions.get().end()) return fail(competitor, entry, *failure);
      deliver(std::move(entry));
    }
    // The rounds begin with a process that has seen no test: what code decides once and for all by its first
    // call, as by its size, would else be decided by a test, and otherwise for the baseline than for its
    // twin.
    if (const auto found = run_.sessions.get().workers().release())
      fail(competitor, board_->blank(competitor, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, -1), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

// The command that repeats what `entry` says, but for the call.
std::string BoardRunner::command_of(const Competitor& competitor, const record::Entry& entry) const {
  const auto& contestant = competitor.entrant->contestant;
  return fmt::format("podium verify {} {}{}{} --contestant {} --workload {}/{}", entry.problem,
                     run_.options.device_words, run_.options.problems_words,
                     run_.options.full ? " --full" : "",
                     board_->at_home(*competitor.entrant) ? contestant.name : contestant.file.string(),
                     entry.types, entry.workload);
}

void BoardRunner::replay(Competitor& competitor) {
  if (competitor.entrant->product.status != compile::Product::Status::built)
    return verify(competitor);  // says why
  int workload = -1;
  try {
    for (const int test : board_->plan.tests) {
      workload = test;
      progress_.tell(board_->blank(competitor, workload, -1));
      run_.sessions.refresh();
      auto entry = board_->blank(competitor, workload, -1);
      if (!eligible(competitor, entry, workload)) {
        if (competitor.out) return;
        continue;
      }
      if (const auto failure = start(competitor)) return fail(competitor, entry, *failure);
      if (const auto failure = replay_call(run_, *board_, competitor, workload, entry))
        return fail(competitor, entry, *failure);
      deliver(std::move(entry));
    }
    if (const auto found = run_.sessions.get().workers().release())
      fail(competitor, board_->blank(competitor, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, -1), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

void BoardRunner::measure_round(std::vector<Competitor>& competitors, int round) {
  std::vector<std::size_t> order(competitors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), run_.random);
  for (const std::size_t at : order)
    if (!competitors[at].out) measure(competitors[at], round, competitors[at].entrant->timed);
}

void BoardRunner::measure(Competitor& competitor, int round, std::span<const int> workloads) {
  int workload = -1;
  try {
    run_.sessions.refresh();
    if (const auto failure = start(competitor, board_->parking_key(competitor)))
      return fail(competitor, board_->blank(competitor, -1, round), *failure);
    for (const int timed : workloads) {
      workload = timed;
      if (competitor.declined.contains(workload) ||
          !eligible(competitor, board_->blank(competitor, workload, round), workload))
        continue;
      competitor.tries = 0;
      measure(competitor, round, workload);
      if (!competitor.excused.empty()) measure_alone(competitor, round, workload);
      if (competitor.out) return;
      competitor.asked.insert(workload);
    }
    run_.sessions.get().workers().park();
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, round), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

// Without those that may have been to blame, and from here on with one worker at a time: so there is one such
// excuse a board. The samples have other seeds than those that failed.
void BoardRunner::measure_alone(Competitor& competitor, int round, int workload) {
  board_->stop_parking();
  competitor.out = false;
  run_.sessions.get().workers().end_parked();
  if (const auto failure = start(competitor))
    fail(competitor, board_->blank(competitor, workload, round), *failure);
  else
    measure(competitor, round, workload);
  competitor.excused.clear();
}

std::optional<Failure> BoardRunner::start(const Competitor& competitor, const std::string& parking_key) {
  return run_.sessions.get().workers().start(competitor.entrant->product.file, parking_key);
}

// A call that turns out to wait is measured anew, as one that does.
std::optional<Failure> BoardRunner::sample(Competitor& competitor, int workload, record::Entry& entry) {
  EntrySampler sampler(run_, *board_);
  if (const auto failure = sampler.take(competitor, workload, entry)) return failure;
  if (!competitor.waits.contains(workload) || entry.blocking) return std::nullopt;
  auto again = board_->blank(competitor, workload, entry.round);
  again.canaries = entry.canaries;
  entry = std::move(again);
  return sampler.take(competitor, workload, entry);
}

// A clock that lies, or hidden work, disagrees with the judge's every time; a machine busier than a moment
// ago does not once the overhead has been measured anew. While it stays so busy that a lie would be lost in
// the scatter, or that calls wait for processors, nobody is accused, and nobody gains: the judge's times
// count.
void BoardRunner::measure(Competitor& competitor, int round, int workload) {
  progress_.tell(board_->blank(competitor, workload, round));
  progress_.count_entry();
  BoardMonitor& monitor = board_->monitor();
  EntrySampler sampler(run_, *board_);
  for (int attempt = 1;; ++attempt) {
    auto entry = board_->blank(competitor, workload, round);
    entry.canaries = monitor.look();
    if (const auto failure = sample(competitor, workload, entry))
      return fail_in_round(competitor, entry, workload, *failure);
    const ClockLimits limits = sampler.limits_for(entry);
    const auto alone = disagreement_alone(competitor, entry, limits.overhead);
    const auto together = disagreement_together(competitor, workload, entry, limits);
    const auto& doubted = alone ? alone : together;
    if (const double least = sampler.least_time(); entry.median.value > 0 && entry.median.value < least)
      return fail(
          competitor, entry,
          {Verdict::too_fast, fmt::format("{:.2f} µs a call, but the device's memory allows no less than "
                                          "{:.2f} µs: part of the work was done outside the call",
                                          entry.median.value, least)});
    if (!doubted) return deliver(std::move(entry));
    const bool calm = monitor.becomes_calm(entry.blocking);
    const bool last_attempt = attempt >= (doubted->starved ? starved_attempts : attestation_attempts);
    if (last_attempt && doubted->accuses && calm && !doubted->starved)
      return fail(competitor, entry, doubted->failure);
    const bool given_up = last_attempt || !calm;
    if (given_up) {
      if (!(entry.median.value > 0))
        return fail(competitor, entry,
                    {Verdict::not_attested,
                     fmt::format("{}; the machine was too busy, even after pauses, to tell whether that is "
                                 "hidden work: repeat the run when it is less busy",
                                 doubted->failure.text)});
      use_judges_times(entry, monitor.calmest(entry.blocking).constant);
      deliver(entry);
    }
    if (const auto failure = start(competitor, board_->parking_key(competitor)))
      return fail(competitor, entry, *failure);
    if (given_up) return;
  }
}

BoardState& BoardRunner::return_to(const BoardPlan& plan) {
  const auto known = boards_.find(&plan);
  if (known == boards_.end() || !known->second->monitor().overheads()) {
    enter(plan).monitor().begin();
    return *board_;
  }
  if (board_ != known->second.get()) {
    board_ = nullptr;
    run_.sessions.enter(plan);
    board_ = known->second.get();
  }
  return *board_;
}

// Single entries in whatever order a caller wants them, as Google Benchmark does. Switching boards ends the
// workers, since the judge holds one board at a time; what was measured of the board itself is kept.
void BoardRunner::measure(const BoardPlan& plan, const Entrant& entrant, int workload,
                          const measure::Stopping& rule) {
  if (!plan.unmet.empty()) return leave_out(plan);
  BoardState& board = return_to(plan);
  const auto [at, first] = board.competitors.try_emplace(&entrant);
  Competitor& competitor = at->second;
  if (first) {
    competitor.entrant = &entrant;
    competitor.owner = static_cast<std::uint64_t>(&entrant - plan.entrants.data()) + 1;
    verify(competitor);
    if (competitor.out) return;
  }
  if (competitor.out) return sink_(competitor.failure);
  run_.options.stopping = rule;
  const int index = board.rounds[{&entrant, workload}]++;  // an entry's inputs depend on it: none come twice
  measure(competitor, index, std::span(&workload, 1));
}

}  // namespace podium::contest
