// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/rest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"

namespace podium::contest {
namespace {

constexpr const char* changed_since = "the contestant has changed since";
constexpr const char* changed_beside = "all contestants beside the baseline have changed since";
constexpr const char* baseline_changed = "the baseline, to which times are related, has changed since";

// Whether it says that its contestant takes no further part.
bool puts_out(const record::Entry& entry) {
  return record::failed(entry.verdict) || (entry.workload.empty() && entry.verdict != Verdict::right);
}

const BoardPlan& planned(const Plan& plan, const record::BoardRecord& board) {
  const auto found = std::ranges::find_if(plan.boards, [&](const BoardPlan& one) {
    return one.problem->name == board.problem && one.problem->choices[one.choice].name == board.types;
  });
  if (found == plan.boards.end())
    throw Error(fmt::format("{}/{}: no contestant of this board on record is there any more; start a new run",
                            board.problem, board.types));
  if (record::sha256(found->problem->source) != board.sha256)
    throw Error(
        fmt::format("{}: the problem has changed since the run began, and what is on record answers "
                    "the old one; start a new run, or restore the file from the run's sources/{}",
                    found->problem->file.string(), board.sha256));
  for (const auto& [name, sha256] : board.files)  // of a reference in Python
    if (const auto file = found->problem->file.parent_path() / name; record::sha256(text_of(file)) != sha256)
      throw Error(
          fmt::format("{}: the reference has changed since the run began; start a new run, or restore the "
                      "file from the run's sources/{}",
                      file.string(), sha256));
  return *found;
}

class Resuming {
 public:
  Resuming(const Plan& plan, const record::Provenance& on_record, const std::vector<record::Entry>& entries,
           const Changed& changed)
      : plan_(plan), on_record_(on_record), entries_(entries), changed_(changed) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      rest_.set_aside.push_back(entries[i].set_aside);
      of_board_[{entries[i].problem, entries[i].types}].push_back(i);
    }
  }

  Rest run() {
    for (const record::BoardRecord& board : on_record_.boards) resume(board);
    for (auto& [of, board] : series_) finish(of, std::move(board));
    return std::move(rest_);
  }

 private:
  void resume(record::BoardRecord board) {
    const BoardPlan& now = planned(plan_, board);
    BoardPlan left = now;
    left.series = board.series;
    std::erase_if(left.entrants, [&](const Entrant& entrant) {
      return std::ranges::find(board.contestants, entrant.contestant.name) == board.contestants.end();
    });
    for (const std::string& name : board.contestants)
      if (!find(left, name)) rest_.missing.push_back(fmt::format("{}/{}", board.problem, name));
    std::set<std::string> others;
    for (const Entrant& entrant : left.entrants)
      if (has_changed(board.problem, entrant)) others.insert(entrant.contestant.name);
    if (others.contains(board.baseline))
      set_aside(
          board, [](const record::Entry& entry) { return entry.round >= 0 && !puts_out(entry); },
          baseline_changed);
    set_aside(
        board, [&](const record::Entry& entry) { return others.contains(entry.contestant); }, changed_since);
    BoardPlan same = left;
    std::erase_if(same.entrants, [&](const Entrant& e) { return others.contains(e.contestant.name); });
    const bool alone = std::ranges::all_of(
        same.entrants, [&](const Entrant& e) { return e.contestant.name == board.baseline; });
    if (alone && !others.empty())
      set_aside(board, [](const record::Entry& entry) { return entry.round >= 0; }, changed_beside);
    if (others.empty() || complete_rounds(board, same) == 0) {
      series_.emplace_back(std::move(board), std::move(left));
      return;
    }
    std::erase_if(board.contestants, [&](const std::string& name) { return others.contains(name); });
    series_.emplace_back(board, std::move(same));
    add_series(board, std::move(left), others);
  }

  // Contestants that have changed are measured in rounds of their own, beside the baseline.
  void add_series(record::BoardRecord board, BoardPlan left, const std::set<std::string>& others) {
    board.series = left.series = 1 + last_series(board);
    board.empty_call = board.judge_overhead = board.tolerance = -1;
    std::erase_if(left.entrants, [&](const Entrant& entrant) {
      return !others.contains(entrant.contestant.name) && entrant.contestant.name != board.baseline;
    });
    board.contestants.clear();
    for (const Entrant& entrant : left.entrants) board.contestants.push_back(entrant.contestant.name);
    series_.emplace_back(std::move(board), std::move(left));
  }

  void finish(const record::BoardRecord& of, BoardPlan left) {
    note_verified(of, left);
    left.first_round = complete_rounds(of, left);
    left.twin_out = is_out(of, left.baseline, true, on_record_.rounds);
    for (Entrant& entrant : left.entrants)
      entrant.out = is_out(of, entrant.contestant.name, false, on_record_.rounds);
    set_aside(
        of, [&](const record::Entry& entry) { return entry.round >= left.first_round && !puts_out(entry); },
        "its round was begun anew when the run was resumed");
    rest_.records.push_back(of);
    const auto unfinished = [&](const Entrant& entrant) {
      return !entrant.out && ((!entrant.timed.empty() && left.first_round < on_record_.rounds) ||
                              entrant.verified.size() < left.tests.size());
    };
    if (std::ranges::any_of(left.entrants, unfinished)) rest_.boards.push_back(std::move(left));
  }

  // What a contestant has verified on the same board holds in every series.
  void note_verified(const record::BoardRecord& of, BoardPlan& left) {
    for (Entrant& entrant : left.entrants)
      for (const int test : left.tests) {
        const auto& name = left.problem->workloads[static_cast<std::size_t>(test)].name;
        for (const std::size_t i : of_board_[{of.problem, of.types}])
          if (const record::Entry& entry = entries_[i]; rest_.set_aside[i].empty() && entry.round < 0 &&
                                                        entry.contestant == entrant.contestant.name &&
                                                        entry.workload == name)
            entrant.verified.insert(test);
      }
  }

  // From the first on.
  int complete_rounds(const record::BoardRecord& of, const BoardPlan& board) const {
    int round = 0;
    while (round < on_record_.rounds && is_complete(of, board, round)) ++round;
    return round;
  }

  bool is_complete(const record::BoardRecord& of, const BoardPlan& board, int round) const {
    bool any = false;
    for (const Entrant& entrant : board.entrants) {
      const std::string& name = entrant.contestant.name;
      if (entrant.timed.empty() || is_out(of, name, false, -1)) continue;
      any = true;
      if (!is_complete(of, board, entrant, false, round)) return false;
      if (name == board.baseline && !is_complete(of, board, entrant, true, round)) return false;
    }
    return any;
  }

  bool is_complete(const record::BoardRecord& of, const BoardPlan& board, const Entrant& entrant, bool twin,
                   int round) const {
    if (is_out(of, entrant.contestant.name, twin, round)) return true;
    return std::ranges::all_of(entrant.timed, [&](int w) {
      const auto& workload = board.problem->workloads[static_cast<std::size_t>(w)].name;
      return any_of(of, [&](const record::Entry& entry) {
        return entry.contestant == entrant.contestant.name && entry.twin == twin && entry.round == round &&
               entry.workload == workload;
      });
    });
  }

  // By the end of a round; -1: by the end of its verification.
  bool is_out(const record::BoardRecord& of, const std::string& contestant, bool twin, int round) const {
    return any_of(of, [&](const record::Entry& entry) {
      return entry.contestant == contestant && entry.twin == twin && entry.round <= round && puts_out(entry);
    });
  }

  bool any_of(const record::BoardRecord& of, const auto& holds) const {
    const auto its = of_board_.find({of.problem, of.types});
    return its != of_board_.end() && std::ranges::any_of(its->second, [&](std::size_t i) {
             return rest_.set_aside[i].empty() && entries_[i].series == of.series && holds(entries_[i]);
           });
  }

  void set_aside(const record::BoardRecord& of, const auto& holds, const std::string& why) {
    for (const std::size_t i : of_board_[{of.problem, of.types}])
      if (rest_.set_aside[i].empty() && entries_[i].series == of.series && holds(entries_[i]))
        rest_.set_aside[i] = why;
  }

  bool has_changed(const std::string& problem, const Entrant& entrant) {
    const auto on_record = std::ranges::find_if(on_record_.contestants, [&](const auto& one) {
      return one.problem == problem && one.name == entrant.contestant.name;
    });
    if (on_record == on_record_.contestants.end() || !changed_(entrant, *on_record)) return false;
    const auto same = [&](const auto& one) { return one.problem == problem && one.name == on_record->name; };
    if (std::ranges::none_of(rest_.replaced, same)) rest_.replaced.push_back(*on_record);
    return true;
  }

  static const Entrant* find(const BoardPlan& board, const std::string& name) {
    const auto found =
        std::ranges::find_if(board.entrants, [&](const Entrant& one) { return one.contestant.name == name; });
    return found == board.entrants.end() ? nullptr : &*found;
  }

  int last_series(const record::BoardRecord& of) const {
    int last = 0;
    const auto see = [&](const record::BoardRecord& board) {
      if (board.problem == of.problem && board.types == of.types) last = std::max(last, board.series);
    };
    std::ranges::for_each(on_record_.boards, see);
    for (const auto& [board, left] : series_) see(board);
    return last;
  }

  const Plan& plan_;
  const record::Provenance& on_record_;
  const std::vector<record::Entry>& entries_;
  const Changed& changed_;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> of_board_;  // entries
  std::vector<std::pair<record::BoardRecord, BoardPlan>> series_;
  Rest rest_;
};

}  // namespace

Rest rest_of(const Plan& plan, const record::Provenance& on_record, const std::vector<record::Entry>& entries,
             const Changed& changed) {
  return Resuming(plan, on_record, entries, changed).run();
}

}  // namespace podium::contest
