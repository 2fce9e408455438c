// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "suite/contest/session_requests.hpp"
#include "suite/contest/turn.hpp"
#include "suite/problem/instance/instantiate.hpp"

namespace podium::contest {
namespace {

using clock = std::chrono::steady_clock;

constexpr int verified_samples = 2;  // one for each poison
constexpr int most_lost = 3;         // devices lost before the run gives up

// Who writes where others compute.
bool another_can_cause(const Failure& failure) {
  static constexpr std::array caused{Verdict::wrong, Verdict::not_written, Verdict::input_changed,
                                     Verdict::out_of_bounds};
  return std::ranges::find(caused, failure.verdict) != caused.end();
}

}  // namespace

Verdict verdict_of(compile::Product::Status status) {
  switch (status) {
    case compile::Product::Status::built:
      return Verdict::right;
    case compile::Product::Status::failed:
      return Verdict::did_not_compile;
    case compile::Product::Status::unavailable:
      return Verdict::missing_library;
    case compile::Product::Status::faulty:
      return Verdict::bad_file;
    case compile::Product::Status::unsuited:
      break;
  }
  return Verdict::unsupported;
}

Runner::Runner(Executables executables, RunOptions options, Sink sink, Watch watch)
    : executables_(std::move(executables)),
      options_(std::move(options)),
      sink_(std::move(sink)),
      watch_(std::move(watch)),
      random_(options_.order_seed),
      began_(clock::now()) {}
Runner::~Runner() = default;

Session& Runner::session() {
  if (!session_) {
    session_ = std::make_unique<Session>(executables_, options_.device, options_.limits);
    const auto secret = session_->secret();
    secrets_.insert(secrets_.end(), secret.begin(), secret.end());
    if (board_) load(*board_);
  }
  return *session_;
}

const protocol::Opened& Runner::device() { return session().device(); }
void Runner::hide(const std::filesystem::path& folder) {
  options_.limits.hidden = folder;
  if (session_) session_->hide(folder);
}
protocol::Calibrated Runner::memory_rates() {
  return with_judge([&] { return session().memory_rates(); });
}
std::vector<std::uint64_t> Runner::secrets() { return secrets_; }

record::Spent Runner::spent() const {
  record::Spent all = spent_;
  if (session_) all += session_->spent();
  const auto waits = this->waits();
  all.wait = record::median_wait(waits, true);
  all.wait_unflushed = record::median_wait(waits, false);
  all.parts = record::median_parts(waits, true);
  all.parts_unflushed = record::median_parts(waits, false);
  return all;
}

std::vector<record::Wait> Runner::waits() const {
  std::vector<record::Wait> all = waits_;
  if (session_) all.insert(all.end(), session_->waits().begin(), session_->waits().end());
  return all;
}

// The next request starts another judge.
void Runner::lose_device() {
  spent_ = spent();
  waits_ = waits();
  session_.reset();
  if (++lost_ > most_lost)
    throw DeviceLost(fmt::format("the device was lost {} times; the run ends here", lost_));
}

// A judge that ended after the turn before this one is not this contestant's fault.
void Runner::begin_turn() {
  if (session_ && session_->lost()) lose_device();
  with_judge([&] { session(); });
}

void Runner::load(const BoardPlan& board) {
  session_->load(*board.problem, board.choice, board.program);
  std::vector<int> all = board.tests;
  all.insert(all.end(), board.timed.begin(), board.timed.end());
  session_->board(all);
}

// How much work a board is, as far as is known: one that is not built yet has no product that failed.
double Runner::units_of(const BoardPlan& board) const {
  double units = 0;
  if (board.broken || !board.unmet.empty()) return units;
  for (const auto& entrant : board.entrants) {
    if (entrant.product.status != compile::Product::Status::built) continue;
    units += static_cast<double>(board.tests.size());
    const int turns = entrant.contestant.name == board.baseline ? 2 : 1;
    units += turns * options_.rounds * static_cast<double>(entrant.timed.size());
  }
  return units;
}

void Runner::run(const std::vector<BoardPlan>& boards, const Step& before, const Step& after) {
  began_ = clock::now();
  units_done_ = 0;
  boards_ = boards.size();
  for (std::size_t b = 0; b < boards.size(); ++b) {
    const BoardPlan& board = boards[b];
    number_ = b + 1;
    if (before) before(board);
    units_ = units_done_;
    for (std::size_t left = b; left < boards.size(); ++left) units_ += units_of(boards[left]);
    try {
      lost_ = 0;
      if (!board.unmet.empty())
        leave_out(board);
      else if (!board.broken)
        run(board);
    } catch (const ProblemFault& e) {  // of this board alone
      faults_.push_back(e.what());
    }
    if (after) after(board);
  }
  board_ = nullptr;
}

// Every contestant gets its row, which says why.
void Runner::leave_out(const BoardPlan& board) {
  board_ = &board;
  for (const auto& entrant : board.entrants) {
    Turn turn{.entrant = &entrant};
    fail(turn, blank(turn, -1, -1), {Verdict::unsupported, board.unmet});
  }
  board_ = nullptr;
}

void Runner::enter(const BoardPlan& board) {
  board_ = nullptr;  // a judge that has to be started is loaded below
  with_judge([&] {
    session();
    load(board);
  });
  board_ = &board;
  parks_ = may_park(board);
  const auto& choice = board.problem->choices[board.choice];
  instances_.assign(board.problem->workloads.size(), {});
  for (std::size_t w = 0; w < instances_.size(); ++w)
    if (on_board(board.problem->workloads[w], choice))
      instances_[w] = instantiate(*board.problem, choice, board.problem->workloads[w]);
}

void Runner::run(const BoardPlan& board) {
  enter(board);
  rehearse();

  std::vector<Turn> turns;
  std::uint64_t owner = 0;
  for (const auto& entrant : board.entrants) {
    Turn turn{.entrant = &entrant};
    turn.owner = ++owner;  // nobody else's, also if this one fails
    if (options_.replay)
      replay(turn);
    else
      verify(turn);
    if (turn.out || entrant.timed.empty()) continue;
    turns.push_back(turn);
  }
  if (const auto baseline =
          std::find_if(turns.begin(), turns.end(),
                       [&](const Turn& t) { return t.entrant->contestant.name == board.baseline; });
      baseline != turns.end()) {
    Turn twin = *baseline;
    twin.twin = true;
    twin.owner = ++owner;
    turns.push_back(twin);
  }
  if (turns.empty() || board.timed.empty() || options_.rounds == 0) return;
  meet_overhead();
  meet_canary();
  for (int round = 0; round < options_.rounds; ++round) measure_round(turns, round);
}

// The judge's own work on every workload, before any contestant can be blamed for it. A judge that is lost
// may have been ended by something else; the problem is at fault if another one is lost as well.
void Runner::rehearse() {
  constexpr double allowance =
      5;  // times what the rehearsal took; a sample verifies, flushes and copies beside
  judges_seconds_.assign(board_->problem->workloads.size(), 0);
  std::vector<int> all = board_->tests;
  all.insert(all.end(), board_->timed.begin(), board_->timed.end());
  bool lost = false;
  for (std::size_t next = 0; next < all.size();) {
    const int w = all[next];
    with_judge([&] { session(); });
    try {
      const auto began = clock::now();
      session().rehearse(w, options_.full);
      judges_seconds_[static_cast<std::size_t>(w)] = 1 + allowance * seconds_since(began);
      ++next;
    } catch (const DeviceLost& e) {
      lose_device();
      if (!std::exchange(lost, true)) continue;
      const auto& workload = board_->problem->workloads[static_cast<std::size_t>(w)];
      throw ProblemFault(fmt::format(
          "{}:{}: workload {}: its fills and references alone, without a contestant, lost the judge: {}",
          workload.at.file, workload.at.line, workload.name, e.what()));
    }
  }
}

// Whether workers are kept between their turns: not with foreign files, which nobody has looked through, and
// not under a tool that reports at a worker's end.
bool Runner::may_park(const BoardPlan& board) const {
  if (options_.isolated || options_.rounds == 0 || !options_.limits.under.empty()) return false;
  return std::ranges::all_of(board.entrants, [&](const Entrant& entrant) { return at_home(entrant); });
}

// Whether a contestant lies beside its problem, where files are reviewed.
bool Runner::at_home(const Entrant& entrant) const {
  return compile::at_home(*board_->problem, entrant.contestant.file);
}

// Under which a turn's worker is parked; empty: it is not. The baseline and its twin have a worker each.
std::string Runner::key_of(const Turn& turn) const {
  if (!parks_) return "";
  return turn.entrant->contestant.name + (turn.twin ? "/twin" : "");
}

record::Entry Runner::blank(const Turn& turn, int workload, int round) const {
  record::Entry entry;
  entry.problem = board_->problem->name;
  entry.types = board_->problem->choices[board_->choice].name;
  entry.contestant = turn.entrant->contestant.name;
  entry.twin = turn.twin;
  entry.emulated = turn.entrant->emulated;
  entry.round = round;
  entry.verdict = Verdict::right;
  entry.excused = turn.excused;
  if (workload >= 0) {
    const auto& instance = instances_[static_cast<std::size_t>(workload)];
    entry.workload = instance.workload;
    entry.stage = name_of(instance.stage);
    entry.bytes = instance.bytes;
    entry.flops = instance.flops;
  }
  return entry;
}

// Blame is given where it is proven: a worker that is parked shares the arena with the one on turn.
void Runner::fail(Turn& turn, record::Entry entry, const Failure& failure) {
  if (entry.round >= 0 && another_can_cause(failure) && session_ && session_->parked_may_act()) {
    turn.excused = fmt::format("{}: {}", word_of(failure.verdict), failure.text);
    turn.out = true;
    return;
  }
  entry.verdict = failure.verdict;
  entry.text = failure.text;
  if (!failure.again.empty()) entry.again = command_of(turn, entry) + " " + failure.again;
  turn.out = true;
  turn.failure = entry;
  sink_(entry);
}

void Runner::tell(const Turn& turn, int workload, int round) {
  if (!watch_) return;
  Progress p;
  const auto entry = blank(turn, workload, round);
  p.problem = entry.problem;
  p.types = entry.types;
  p.workload = entry.workload;
  p.contestant = entry.contestant;
  p.board = number_;
  p.boards = boards_;
  p.round = round;
  p.rounds = options_.rounds;
  p.done = std::min(1.0, units_done_ / std::max(1.0, units_));
  if (p.done > 0.05) p.seconds_left = seconds_since(began_) * (1 - p.done) / p.done;
  watch_(p);
}

// Whether the contestant's `when` holds on the workload; if not, `entry` is its row there. One that has no
// value puts it out.
bool Runner::eligible(Turn& turn, record::Entry entry, int workload) {
  const auto& when = turn.entrant->contestant.when;
  const auto& instance = instances_[static_cast<std::size_t>(workload)];
  try {
    if (when.text.empty() || evaluate(*board_->problem, instance, when) != 0) return true;
  } catch (const Error& e) {
    return fail(turn, entry, {Verdict::bad_file, e.what()}), false;
  }
  entry.verdict = Verdict::unsupported;
  entry.text = fmt::format("`when: {}` does not hold", when.text);
  sink_(entry);
  return false;
}

void Runner::verify(Turn& turn) {
  const auto& product = turn.entrant->product;
  if (product.status != compile::Product::Status::built) {
    return fail(turn, blank(turn, -1, -1), {verdict_of(product.status), product.message});
  }
  int workload = -1;
  try {
    tell(turn, board_->tests.front(), -1);
    begin_turn();
    auto started = session().start(product.file, key_of(turn));
    if (auto* failure = std::get_if<Failure>(&started)) return fail(turn, blank(turn, -1, -1), *failure);
    for (const int test : board_->tests) {
      workload = test;
      tell(turn, workload, -1);
      units_done_ += 1;
      auto entry = blank(turn, workload, -1);
      if (!eligible(turn, entry, workload)) {
        if (turn.out) return;
        continue;
      }
      auto begun = session().begin(workload, -1, turn.owner,
                                   judges_seconds_[static_cast<std::size_t>(workload)], options_.full);
      if (auto* failure = std::get_if<Failure>(&begun)) {
        if (failure->verdict != Verdict::unsupported) return fail(turn, entry, *failure);
        entry.verdict = failure->verdict;
        entry.text = failure->text;
        sink_(entry);
        started = session().start(product.file, key_of(turn));  // what it left behind is not known
        if (auto* again = std::get_if<Failure>(&started)) return fail(turn, entry, *again);
        continue;
      }
      for (int index = 0; index < verified_samples; ++index) {
        auto sampled = session().sample(index);
        if (auto* failure = std::get_if<Failure>(&sampled)) return fail(turn, entry, *failure);
        const auto& sample = std::get<protocol::Sampled>(sampled);
        if (index == 0 || sample.worst > entry.worst) entry.text = protocol::get(sample.text);
        entry.worst = std::max(entry.worst, sample.worst);
        entry.left_out = std::max<std::int64_t>(entry.left_out, sample.left_out);
        entry.blocking = sample.blocking != 0;
        entry.seeds.push_back(sample.seed);
      }
      auto ended = session().end();
      if (auto* failure = std::get_if<Failure>(&ended)) return fail(turn, entry, *failure);
      sink_(entry);
    }
    // The rounds begin with a process that has seen no test: what code decides once and for all by its first
    // call, as by its size, would else be decided by a test, and otherwise for the baseline than for its
    // twin.
    if (const auto found = session().release()) fail(turn, blank(turn, -1, -1), *found);
  } catch (const DeviceLost& e) {
    fail(turn, blank(turn, workload, -1), {Verdict::device_lost, e.what()});
    lose_device();
  }
}

}  // namespace podium::contest
