// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/mix.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/base/error.hpp"

namespace podium::report {
namespace {

// A run and its own report.
struct Single {
  const MixedRun* of = nullptr;
  Report report;
  std::string device, level;

  const record::Provenance& provenance() const { return report.provenance; }
};

std::string sha256_of(const record::Provenance& provenance, const BoardReport& board) {
  for (const record::BoardRecord& one : provenance.boards)
    if (one.problem == board.problem && one.types == board.types) return one.sha256;
  return "";
}

std::string baseline_of(const record::Provenance& provenance, const BoardReport& board) {
  for (const record::ContestantRecord& one : provenance.contestants)
    if (one.problem == board.problem && one.name == board.baseline) return one.sha256;
  return "";
}

using BoardKey = std::tuple<std::string, std::string, std::string>;
BoardKey key_of(const BoardReport& board) { return {board.problem, board.types, board.stage}; }

// One report of runs of one device and level.
class Merging {
 public:
  explicit Merging(std::vector<std::string>& left_out) : left_out_(left_out) {}

  // Newest first.
  void add(const Single& single) {
    const std::string& name = single.of->name;
    std::set<std::string> revised;
    int repeated = 0;
    for (const BoardReport& board : single.report.boards) {
      if (board.rows.empty()) continue;
      const auto [newest, first] =
          revisions_.try_emplace(board.problem, sha256_of(single.provenance(), board), &single);
      if (!first && newest->second.first != sha256_of(single.provenance(), board)) {
        if (single.of->named && newest->second.second->of->named)
          refuse_revision(board.problem, *newest->second.second, single);
        revised.insert(board.problem);
        continue;
      }
      if (!single.of->named && !adds(board)) {
        ++repeated;
        continue;
      }
      take(board, single);
    }
    if (!revised.empty())
      left_out_.push_back(fmt::format(
          "{}: its tables of {} are left out: it measured another revision of the problem than newer runs; "
          "name it alone to see them",
          name, fmt::join(revised, ", ")));
    if (repeated > 0)
      left_out_.push_back(
          fmt::format("{}: {} left out: newer runs have measured all of their contestants; "
                      "name it alone to see them",
                      name, repeated == 1 ? "a table is" : fmt::format("{} tables are", repeated)));
  }

  Mix result(const std::vector<const Single*>& singles) {
    Mix mix;
    mix.report.provenance = singles.front()->provenance();
    std::ranges::stable_sort(boards_, {}, key_of);
    for (std::size_t i = 0; i < boards_.size(); ++i) {
      const auto same = [&](const BoardReport& other) { return key_of(other) == key_of(boards_[i]); };
      boards_[i].apart = std::ranges::count_if(boards_, same) > 1;
    }
    mix.report.boards = std::move(boards_);
    mix.report.overall = overall_of(mix.report.boards);
    for (const Single* single : singles) {
      const auto is_shown = [&](const BoardReport& board) { return board.run == single->of->name; };
      if (std::ranges::any_of(mix.report.boards, is_shown))
        mix.report.parts.push_back({single->of->name, single->provenance()});
    }
    mix.run = {.folder = singles.front()->of->run->folder,
               .provenance = singles.front()->of->run->provenance,
               .entries = std::move(entries_)};
    return mix;
  }

 private:
  static void refuse_revision(const std::string& problem, const Single& one, const Single& other) {
    throw Error(fmt::format(
        "{} and {} measured different revisions of {} (SHA-256 of problem.yaml), and their times do not "
        "compare; report them one at a time, or measure again with one revision",
        other.of->name, one.of->name, problem));
  }

  // Whether it has a contestant that no newer run has on the board.
  bool adds(const BoardReport& board) const {
    const auto shown = shown_.find(key_of(board));
    return shown == shown_.end() || !std::ranges::all_of(board.rows, [&](const Row& row) {
             return shown->second.contains(row.contestant);
           });
  }

  void take(BoardReport board, const Single& single) {
    const std::string baseline = baseline_of(single.provenance(), board);
    const auto [common, first] = baselines_.try_emplace(key_of(board), baseline);
    board.run = single.of->name;
    board.counts = board.counts && common->second == baseline;
    auto& shown = shown_[key_of(board)];
    for (const record::Entry& entry : single.of->run->entries)
      if (entry.problem == board.problem && entry.types == board.types && entry.series == board.series &&
          !shown.contains(entry.contestant))
        entries_.push_back(entry);
    for (const Row& row : board.rows) shown.insert(row.contestant);
    boards_.push_back(std::move(board));
  }

  std::vector<std::string>& left_out_;
  std::map<std::string, std::pair<std::string, const Single*>> revisions_;  // of each problem, the newest
  std::map<BoardKey, std::string> baselines_;
  std::map<BoardKey, std::set<std::string>> shown_;  // contestants
  std::vector<BoardReport> boards_;
  std::vector<record::Entry> entries_;
};

void refuse_levels(const std::vector<Single>& singles) {
  for (const Single& one : singles)
    for (const Single& other : singles)
      if (one.of->named && other.of->named && one.device == other.device && one.level != other.level)
        throw Error(fmt::format(
            "{} ({}) and {} ({}) differ in the level of verification, and their times do not compare; report "
            "them one at a time",
            one.of->name, one.level, other.of->name, other.level));
}

}  // namespace

std::string method_of(const record::Provenance& provenance) {
  const bool flushed_clean =
      provenance.caches == record::clean_caches || !recorded_backend(provenance.device.backend).device_memory;
  return fmt::format("{}{}", record::attested(provenance) ? "attested" : "unattested",
                     flushed_clean ? "" : ", caches flushed by writing");
}

std::string level_of(const record::Provenance& provenance) {
  std::set<std::string> stages;
  for (const record::BoardRecord& board : provenance.boards)
    stages.insert(board.stage.empty() ? "no timed" : board.stage);
  if (stages.size() > 1) stages.erase("no timed");
  return fmt::format("{} workloads, {}", fmt::join(stages, " and "), method_of(provenance));
}

Mixture mix(std::span<const MixedRun> runs) {
  std::vector<Single> singles;
  for (const MixedRun& run : runs) {
    Single& single = singles.emplace_back(Single{.of = &run, .report = report_of(*run.run)});
    single.device = record::slug(single.provenance().device);
    single.level = level_of(single.provenance());
  }
  refuse_levels(singles);
  std::ranges::stable_sort(singles, [](const Single& a, const Single& b) {
    return std::tie(a.provenance().started, a.of->name) > std::tie(b.provenance().started, b.of->name);
  });
  std::map<std::pair<std::string, std::string>, std::vector<const Single*>> groups;
  for (const Single& single : singles) groups[{single.device, single.level}].push_back(&single);

  Mixture mixture;
  for (const auto& [key, group] : groups) {
    if (group.size() == 1) {
      mixture.reports.push_back({*group.front()->of->run, group.front()->report});
      continue;
    }
    Merging merging(mixture.left_out);
    for (const Single* single : group) merging.add(*single);
    mixture.reports.push_back(merging.result(group));
  }
  return mixture;
}

}  // namespace podium::report
