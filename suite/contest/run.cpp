// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "suite/contest/entry_sampler.hpp"
#include "suite/contest/replay.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::contest {
namespace {

using clock = std::chrono::steady_clock;

constexpr int verified_samples = 2;      // one for each poison
constexpr int attestation_attempts = 3;  // before a contestant is said to lie about its time
constexpr int starved_attempts = 6;  // where processes wait for processors, before the judge's times count

// Who writes where others compute.
bool another_can_cause(const Failure& failure) {
  static constexpr std::array caused{Verdict::wrong, Verdict::not_written, Verdict::input_changed,
                                     Verdict::out_of_bounds};
  return std::ranges::find(caused, failure.verdict) != caused.end();
}

}  // namespace

Runner::Runner(Executables executables, const RunOptions& options, Sink sink, Watch watch)
    : run_{.options = options,
           .sessions = Sessions(std::move(executables), options.device, options.limits),
           .random = std::mt19937_64(options.order_seed)},
      sink_(std::move(sink)),
      watch_(std::move(watch)),
      began_(clock::now()) {}

protocol::Calibrated Runner::memory_rates() {
  return run_.sessions.with_judge([&] { return run_.sessions.get().memory_rates(); });
}

std::map<const BoardPlan*, Overheads> Runner::overheads() const {
  std::map<const BoardPlan*, Overheads> all;
  for (const auto& [plan, board] : boards_)
    if (const auto& overheads = board->monitor().overheads()) all.emplace(plan, *overheads);
  return all;
}

// How much work a board is, as far as is known: one that is not built yet has no product that failed.
double Runner::units_of(const BoardPlan& board) const {
  double units = 0;
  if (board.broken || !board.unmet.empty()) return units;
  for (const auto& entrant : board.entrants) {
    if (entrant.product.status != compile::Product::Status::built) continue;
    units += static_cast<double>(board.tests.size());
    const int entries = entrant.contestant.name == board.baseline ? 2 : 1;
    units += entries * run_.options.rounds * static_cast<double>(entrant.timed.size());
  }
  return units;
}

void Runner::run(const std::vector<BoardPlan>& boards, const Step& before, const Step& after) {
  began_ = clock::now();
  units_done_ = 0;
  of_ = boards.size();
  for (std::size_t b = 0; b < boards.size(); ++b) {
    const BoardPlan& board = boards[b];
    number_ = b + 1;
    if (before) before(board);
    units_ = units_done_;
    for (std::size_t left = b; left < boards.size(); ++left) units_ += units_of(boards[left]);
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
void Runner::leave_out(const BoardPlan& plan) {
  const BoardState board(run_, plan);
  for (const auto& entrant : plan.entrants) {
    Competitor competitor{.entrant = &entrant};
    fail(competitor, board.blank(competitor, -1, -1), {Verdict::unsupported, plan.unmet});
  }
  leave();
}

BoardState& Runner::enter(const BoardPlan& plan) {
  board_ = nullptr;
  run_.sessions.enter(plan);
  auto& board = boards_[&plan] = std::make_unique<BoardState>(run_, plan);
  board_ = board.get();
  board_->prepare();
  return *board_;
}

void Runner::leave() {
  board_ = nullptr;
  run_.sessions.leave();
}

void Runner::run(const BoardPlan& board) {
  enter(board);
  std::vector<Competitor> competitors;
  std::uint64_t owner = 0;
  for (const auto& entrant : board.entrants) {
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
      baseline != competitors.end()) {
    Competitor twin = *baseline;
    twin.twin = true;
    twin.owner = ++owner;
    competitors.push_back(twin);
  }
  if (competitors.empty() || board.timed.empty() || run_.options.rounds == 0) return;
  board_->monitor().begin();
  for (int round = 0; round < run_.options.rounds; ++round) measure_round(competitors, round);
}

// Blame is given where it is proven: a worker that is parked shares the arena with the one on turn.
void Runner::fail(Competitor& competitor, record::Entry entry, const Failure& failure) {
  if (entry.round >= 0 && another_can_cause(failure) && run_.sessions.started() &&
      run_.sessions.started()->parked_may_act()) {
    competitor.excused = fmt::format("{}: {}", word_of(failure.verdict), failure.text);
    competitor.out = true;
    return;
  }
  entry.verdict = failure.verdict;
  entry.text = failure.text;
  if (!failure.again.empty()) entry.again = command_of(competitor, entry) + " " + failure.again;
  competitor.out = true;
  competitor.failure = entry;
  sink_(entry);
}

void Runner::tell(const Competitor& competitor, int workload, int round) {
  if (!watch_) return;
  Progress p;
  const auto entry = board_->blank(competitor, workload, round);
  p.problem = entry.problem;
  p.types = entry.types;
  p.workload = entry.workload;
  p.contestant = entry.contestant;
  p.board = number_;
  p.boards = of_;
  p.round = round;
  p.rounds = run_.options.rounds;
  p.done = std::min(1.0, units_done_ / std::max(1.0, units_));
  if (p.done > 0.05) p.seconds_left = seconds_since(began_) * (1 - p.done) / p.done;
  watch_(p);
}

// Whether the contestant's `when` holds on the workload; if not, `entry` is its row there. One that has no
// value puts it out.
bool Runner::eligible(Competitor& competitor, record::Entry entry, int workload) {
  const auto& when = competitor.entrant->contestant.when;
  const auto& instance = board_->instance(workload);
  try {
    if (when.text.empty() || evaluate(*board_->plan.problem, instance, when) != 0) return true;
  } catch (const Error& e) {
    return fail(competitor, entry, {Verdict::bad_file, e.what()}), false;
  }
  entry.verdict = Verdict::unsupported;
  entry.text = fmt::format("`when: {}` does not hold", when.text);
  sink_(entry);
  return false;
}

void Runner::verify(Competitor& competitor) {
  const auto& product = competitor.entrant->product;
  if (product.status != compile::Product::Status::built) {
    return fail(competitor, board_->blank(competitor, -1, -1), {verdict_of(product.status), product.message});
  }
  int workload = -1;
  try {
    tell(competitor, board_->plan.tests.front(), -1);
    run_.sessions.refresh();
    const std::string key = board_->parking_key(competitor);
    if (const auto failure = start(competitor, key))
      return fail(competitor, board_->blank(competitor, -1, -1), *failure);
    for (const int test : board_->plan.tests) {
      workload = test;
      tell(competitor, workload, -1);
      units_done_ += 1;
      auto entry = board_->blank(competitor, workload, -1);
      if (!eligible(competitor, entry, workload)) {
        if (competitor.out) return;
        continue;
      }
      auto begun = run_.sessions.get().begin(workload, -1, competitor.owner, board_->judges_seconds(workload),
                                             run_.options.full);
      if (auto* failure = std::get_if<Failure>(&begun)) {
        if (failure->verdict != Verdict::unsupported) return fail(competitor, entry, *failure);
        entry.verdict = failure->verdict;
        entry.text = failure->text;
        sink_(entry);
        // What it left behind is not known.
        if (const auto again = start(competitor, key)) return fail(competitor, entry, *again);
        continue;
      }
      for (int index = 0; index < verified_samples; ++index) {
        auto sampled = run_.sessions.get().sample(index);
        if (auto* failure = std::get_if<Failure>(&sampled)) return fail(competitor, entry, *failure);
        const auto& sample = std::get<protocol::Sampled>(sampled);
        if (index == 0 || sample.worst > entry.worst) entry.text = protocol::get(sample.text);
        entry.worst = std::max(entry.worst, sample.worst);
        entry.left_out = std::max<std::int64_t>(entry.left_out, sample.left_out);
        entry.blocking = sample.blocking != 0;
        entry.seeds.push_back(sample.seed);
      }
      auto ended = run_.sessions.get().end();
      if (auto* failure = std::get_if<Failure>(&ended)) return fail(competitor, entry, *failure);
      sink_(entry);
    }
    // The rounds begin with a process that has seen no test: what code decides once and for all by its first
    // call, as by its size, would else be decided by a test, and otherwise for the baseline than for its
    // twin.
    if (const auto found = run_.sessions.get().release())
      fail(competitor, board_->blank(competitor, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, -1), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

// The command that repeats what `entry` says, but for the call.
std::string Runner::command_of(const Competitor& competitor, const record::Entry& entry) const {
  const auto& contestant = competitor.entrant->contestant;
  return fmt::format("podium verify {} {}{}{} --contestant {} --workload {}/{}", entry.problem,
                     run_.options.device_words, run_.options.problems_words,
                     run_.options.full ? " --full" : "",
                     board_->at_home(*competitor.entrant) ? contestant.name : contestant.file.string(),
                     entry.types, entry.workload);
}

void Runner::replay(Competitor& competitor) {
  if (competitor.entrant->product.status != compile::Product::Status::built)
    return verify(competitor);  // says why
  int workload = -1;
  try {
    for (const int test : board_->plan.tests) {
      workload = test;
      tell(competitor, workload, -1);
      run_.sessions.refresh();
      auto entry = board_->blank(competitor, workload, -1);
      if (!eligible(competitor, entry, workload)) {
        if (competitor.out) return;
        continue;
      }
      if (const auto failure = start(competitor)) return fail(competitor, entry, *failure);
      if (const auto failure = replay_call(run_, *board_, competitor, workload, entry))
        return fail(competitor, entry, *failure);
      sink_(entry);
    }
    if (const auto found = run_.sessions.get().release())
      fail(competitor, board_->blank(competitor, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, -1), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

void Runner::measure_round(std::vector<Competitor>& competitors, int round) {
  std::vector<std::size_t> order(competitors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), run_.random);
  for (const std::size_t at : order)
    if (!competitors[at].out) measure(competitors[at], round, competitors[at].entrant->timed);
}

void Runner::measure(Competitor& competitor, int round, std::span<const int> workloads) {
  int workload = -1;
  try {
    run_.sessions.refresh();
    if (const auto failure = start(competitor, board_->parking_key(competitor)))
      return fail(competitor, board_->blank(competitor, -1, round), *failure);
    for (const int timed : workloads) {
      workload = timed;
      if (!eligible(competitor, board_->blank(competitor, workload, round), workload)) continue;
      competitor.tries = 0;
      measure(competitor, round, workload);
      if (!competitor.excused.empty()) measure_alone(competitor, round, workload);
      if (competitor.out) return;
    }
    run_.sessions.get().park();
  } catch (const DeviceLost& e) {
    fail(competitor, board_->blank(competitor, workload, round), {Verdict::device_lost, e.what()});
    run_.sessions.replace();
  }
}

// Without those that may have been to blame, and from here on with one worker at a time: so there is one such
// excuse a board. The samples have other seeds than those that failed.
void Runner::measure_alone(Competitor& competitor, int round, int workload) {
  board_->stop_parking();
  competitor.out = false;
  run_.sessions.get().end_parked();
  if (const auto failure = start(competitor))
    fail(competitor, board_->blank(competitor, workload, round), *failure);
  else
    measure(competitor, round, workload);
  competitor.excused.clear();
}

std::optional<Failure> Runner::start(const Competitor& competitor, const std::string& parking_key) {
  const auto started = run_.sessions.get().start(competitor.entrant->product.file, parking_key);
  if (const auto* failure = std::get_if<Failure>(&started)) return *failure;
  return std::nullopt;
}

// A call that turns out to wait is measured anew, as one that does.
std::optional<Failure> Runner::sample(Competitor& competitor, int workload, record::Entry& entry) {
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
void Runner::measure(Competitor& competitor, int round, int workload) {
  tell(competitor, workload, round);
  units_done_ += 1;
  BoardMonitor& monitor = board_->monitor();
  EntrySampler sampler(run_, *board_);
  for (int attempt = 1;; ++attempt) {
    auto entry = board_->blank(competitor, workload, round);
    entry.canaries = monitor.look();
    if (const auto failure = sample(competitor, workload, entry)) return fail(competitor, entry, *failure);
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
    if (!doubted) return sink_(entry);
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
      sink_(entry);
    }
    if (const auto failure = start(competitor, board_->parking_key(competitor)))
      return fail(competitor, entry, *failure);
    if (given_up) return;
  }
}

BoardState& Runner::return_to(const BoardPlan& plan) {
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
void Runner::measure(const BoardPlan& plan, const Entrant& entrant, int workload,
                     const measure::Stopping& rule) {
  watch_ = nullptr;  // progress is the caller's
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
