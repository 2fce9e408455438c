// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which rows two runs share, and what their rounds say of each.
#include "suite/report/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "suite/base/error.hpp"
#include "suite/measure/samples.hpp"
#include "suite/rank/ranking.hpp"
#include "suite/rank/student.hpp"
#include "suite/report/format.hpp"
#include "suite/report/gather.hpp"
#include "suite/report/mix.hpp"
#include "suite/report/run_notes.hpp"

namespace podium::report {
namespace {

constexpr double alpha = 1 - rank::confidence;

std::vector<double> medians_of(const Gathered* gathered, std::size_t workload) {
  std::vector<double> medians;
  if (gathered && gathered->timed())
    for (const auto& [round, median] : gathered->times[workload]) medians.push_back(median);
  return medians;
}

std::vector<double> logs(std::vector<double> times) {
  for (double& time : times) time = std::log(time);
  return times;
}

const Gathered* find(const std::vector<Gathered>& all, const std::string& contestant) {
  const auto found = std::ranges::find(all, contestant, &Gathered::contestant);
  return found == all.end() ? nullptr : &*found;
}

bool timed(const Gathered* gathered) { return gathered && gathered->timed(); }
bool failed(const Gathered* gathered) { return gathered && gathered->failure; }

template <class T>
void add_missing(std::vector<T>& to, const std::vector<T>& from) {
  for (const T& one : from)
    if (std::ranges::find(to, one) == to.end()) to.push_back(one);
}

class Comparing {
 public:
  Comparing(const record::Run& before, const record::Run& after, double margin,
            const std::vector<std::string>& problems)
      : before_(before), after_(after), problems_(problems) {
    result_.margin = margin;
  }

  Comparison run() {
    Report before = report_of(before_), after = report_of(after_);
    result_.before = before.provenance;
    result_.after = after.provenance;
    same_device();
    for (Report* report : {&before, &after})
      std::erase_if(report->boards, [&](const auto& b) { return !wanted(b); });
    std::vector<BoardReport> boards;
    const auto add = [&](const BoardReport& board) {  // whether it was there; all series are one board
      const auto same = std::ranges::find_if(boards, [&](const BoardReport& other) {
        return other.problem == board.problem && other.types == board.types && other.stage == board.stage;
      });
      const bool known = same != boards.end();
      if (known)
        add_missing(same->workloads, board.workloads);
      else
        boards.push_back(board);
      return known;
    };
    for (const BoardReport& board : after.boards) add(board);
    bool shared = false;
    for (const BoardReport& board : before.boards) shared = (add(board) && board.stage != "test") || shared;
    if (!shared)
      throw Error(fmt::format(
          "compare: found no board that both {} and {} have times of, expected one; run both with the same "
          "problems and stage (--quick or --full)",
          before_.folder.string(), after_.folder.string()));
    same_method();
    same_revisions();
    for (const BoardReport& board : boards)
      if (board.stage != "test") compare(board);
    decide();
    notes();
    return std::move(result_);
  }

 private:
  void same_device() const {
    const std::string one = record::slug(result_.before.device), other = record::slug(result_.after.device);
    if (one != other)
      throw Error(
          fmt::format("compare: found a run of {} and one of {}, expected two of one device", one, other));
  }

  bool wanted(const BoardReport& board) const {
    return problems_.empty() || std::ranges::find(problems_, board.problem) != problems_.end();
  }

  void same_method() const {
    const std::string one = method_of(result_.before), other = method_of(result_.after);
    if (one != other)
      throw Error(fmt::format(
          "compare: {} ({}) and {} ({}) differ in the level of verification, and their times do not "
          "compare; measure one of them again",
          before_.folder.string(), one, after_.folder.string(), other));
  }

  // What problem.yaml says is what was asked of contestants.
  void same_revisions() const {
    std::vector<std::string> revised;
    for (const auto& one : result_.before.boards)
      for (const auto& other : result_.after.boards)
        if (one.problem == other.problem && one.sha256 != other.sha256) add_missing(revised, {one.problem});
    std::erase_if(revised, [&](const std::string& name) { return !wanted({.problem = name}); });
    if (!revised.empty())
      throw Error(fmt::format(
          "compare: {} and {} measured different revisions of {} (SHA-256 of problem.yaml), and their times "
          "do "
          "not compare; measure again with one revision, or name the other problems with --problem",
          before_.folder.string(), after_.folder.string(), fmt::join(revised, ", ")));
  }

  void compare(const BoardReport& board) {
    const auto gathered = [&](const record::Run& run) {
      return gather(newest_entries_of(run, board.problem, board.types, board.stage), board.workloads);
    };
    const std::vector<Gathered> before = gathered(before_), after = gathered(after_);
    std::vector<std::string> names;
    for (const auto* all : {&after, &before})
      for (const Gathered& one : *all) add_missing(names, {one.contestant});
    for (const std::string& name : names) compare(board, find(before, name), find(after, name), name);
  }

  void compare(const BoardReport& board, const Gathered* before, const Gathered* after,
               const std::string& name) {
    Compared row{.problem = board.problem, .types = board.types, .stage = board.stage, .contestant = name};
    const auto whole = [&](Change change, const std::string& text) {
      row.change = change;
      row.text = text;
      add(row, {}, {});
    };
    if (timed(before) && failed(after))
      return whole(Change::fails, fmt::format("{}: {}", after->failure->word(), after->text));
    if (failed(before) && timed(after))
      return whole(Change::mended, fmt::format("{}: {}", before->failure->word(), before->text));
    for (std::size_t w = 0; w < board.workloads.size(); ++w) {
      row.workload = board.workloads[w];
      const auto first = medians_of(before, w), second = medians_of(after, w);
      if (first.empty() && second.empty()) continue;
      row.change = second.empty() ? Change::gone : first.empty() ? Change::added : Change::undecided;
      if (second.empty() && after) row.text = after->declined[w];
      add(row, first, second);
    }
  }

  void add(Compared row, const std::vector<double>& before, const std::vector<double>& after) {
    if (!before.empty()) row.before = measure::median(before).value;
    if (!after.empty()) row.after = measure::median(after).value;
    if (row.before && row.after) {
      const rank::Mean ratio = rank::difference(logs(after), logs(before));
      const double half = rank::half_width(ratio, alpha);
      row.ratio = std::exp(ratio.value);
      if (std::isfinite(half)) {
        row.low = std::exp(ratio.value - half);
        row.high = std::exp(ratio.value + half);
      }
      timed_.push_back(result_.rows.size());
      ratios_.push_back(ratio);
    }
    result_.rows.push_back(std::move(row));
  }

  void decide() {
    const auto decisions = rank::decide(ratios_, std::log1p(result_.margin), alpha);
    for (std::size_t i = 0; i < timed_.size(); ++i) {
      Change& change = result_.rows[timed_[i]].change;
      switch (decisions[i]) {
        case rank::Decision::less:
          change = Change::faster;
          break;
        case rank::Decision::more:
          change = Change::slower;
          break;
        case rank::Decision::equal:
          change = Change::same;
          break;
        case rank::Decision::undecided:
          change = Change::undecided;
      }
    }
  }

  void note(const std::string& what, const std::string& before, const std::string& after) {
    if (before != after) result_.notes.push_back(fmt::format("{}: {} before, {} after", what, before, after));
  }

  // What else may have changed a time.
  void notes() {
    constexpr double noticeable = 0.02;  // of the copy rate
    const auto &before = result_.before, &after = result_.after;
    for (const auto& [when, run] : {std::pair{"before", &before}, std::pair{"after", &after}})
      if (const std::string why = ended_text(*run); !why.empty())
        result_.notes.push_back(
            fmt::format("the run {} ended early ({}): what it did not reach is missing", when, why));
    note("driver", before.driver, after.driver);
    const auto compilers = [](const record::Provenance& p) {
      std::vector<std::string> all;
      for (const auto& one : p.compilers)
        all.push_back(fmt::format("{} {} {}", one.backend, one.version, fmt::join(one.flags, " ")));
      return fmt::format("{}", fmt::join(all, "; "));
    };
    note("compilers", compilers(before), compilers(after));
    note("kernel", before.kernel, after.kernel);
    note("processor", before.cpu, after.cpu);
    note("one worker at a time", before.isolated ? "yes" : "no", after.isolated ? "yes" : "no");
    if (before.copy_bytes_per_second > 0 && after.copy_bytes_per_second > 0) {
      const double change = after.copy_bytes_per_second / before.copy_bytes_per_second - 1;
      if (std::abs(change) > noticeable)
        result_.notes.push_back(
            fmt::format("copy rate: {} GB/s before, {} GB/s after ({:+.1f} %): the device itself differs",
                        significant(before.copy_bytes_per_second * 1e-9),
                        significant(after.copy_bytes_per_second * 1e-9), 100 * change));
    }
  }

  const record::Run &before_, &after_;
  const std::vector<std::string>& problems_;
  Comparison result_;
  std::vector<std::size_t> timed_;  // rows with both times, and their log-ratios
  std::vector<rank::Mean> ratios_;
};

}  // namespace

std::string_view name_of(Change change) {
  switch (change) {
    case Change::slower:
      return "slower";
    case Change::fails:
      return "fails";
    case Change::gone:
      return "gone";
    case Change::undecided:
      return "undecided";
    case Change::faster:
      return "faster";
    case Change::mended:
      return "mended";
    case Change::added:
      return "new";
    case Change::same:
      return "same";
  }
  return "";
}

int Comparison::count(Change change) const {
  return static_cast<int>(std::ranges::count(rows, change, &Compared::change));
}

Comparison compare(const record::Run& before, const record::Run& after, double margin,
                   const std::vector<std::string>& problems) {
  return Comparing(before, after, margin, problems).run();
}

}  // namespace podium::report
