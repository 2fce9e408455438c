// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A board as cells, before any layout.
#include "suite/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "suite/base/counted.hpp"
#include "suite/measure/samples.hpp"
#include "suite/rank/ranking.hpp"
#include "suite/report/format.hpp"

namespace podium::report {
namespace {

constexpr double doubtful_delta = 0.0953;  // log(1.1): more than a quiet machine has shown of any other cause

bool has_numbers(const Row& row) {
  return row.standing == Standing::ranked || row.standing == Standing::unranked;
}

std::string rank_text(const Row& row, const BoardReport& board) {
  if (row.standing != Standing::ranked || board.rounds < rank::least_rounds) return std::string(none);
  const std::string span =
      row.last > row.rank ? fmt::format("{}–{}", row.rank, row.last) : fmt::format("{}", row.rank);
  return row.undecided.empty() ? span : span + "?";
}

std::string interval_text(const Row& row) {
  if (!row.score) return std::string(none);
  if (row.baseline) return "baseline";
  if (!row.score_low || !row.score_high) return fmt::format("{}×", ratio_text(*row.score));
  return fmt::format("{}× ({}–{})", ratio_text(*row.score), ratio_text(*row.score_low),
                     ratio_text(*row.score_high));
}

// The farther end of the interval from the median, in percent: "±0.4 %".
std::string spread_text(double value, double low, double high) {
  const double spread = std::max(high - value, value - low) / value * 100;
  return fmt::format("±{:.{}f} %", spread, spread < 10 ? 1 : 0);
}

std::string time_and_spread(const Timing& timing) {
  if (timing.rounds == 0) return std::string(none);
  const std::string time = time_text(timing.median.value);
  return timing.rounds == 1
             ? time
             : fmt::format("{} {}", time,
                           spread_text(timing.median.value, timing.median.low, timing.median.high));
}

std::string kind_text(const Row& row) {
  return row.tier.empty() || row.tier == "native" ? row.kind : fmt::format("{}, {}", row.kind, row.tier);
}

std::string reason_text(const Row& row) {
  const std::string text = one_line(row.text);
  return text.empty() ? std::string(row.verdict.word()) : fmt::format("{}: {}", row.verdict.word(), text);
}

std::string notes_text(const Row& row) {
  std::string text;
  const auto note = [&](const std::string& words) {
    text += text.empty() ? words : fmt::format(", {}", words);
  };
  if (row.blocking) note("blocking");
  if (row.throttled) note("throttled");
  if (row.judged) note("judge's clock");
  if (std::ranges::any_of(row.timings, [](const Timing& timing) { return timing.sol_raw.value_or(0) > 1; }))
    note("faster than calibrated");
  if (row.standing == Standing::unranked) note(std::string(row.verdict.word()));
  return text;
}

std::string remark_of(const Row& row) {
  switch (row.standing) {
    case Standing::emulated:
      return "verified, not timed (emulated)";
    case Standing::verified:
      return "verified, not timed";
    case Standing::failed:
    case Standing::declined:
      return reason_text(row);
    case Standing::ranked:
    case Standing::unranked:
      break;
  }
  return "";
}

std::string metric_text(const record::Metric& metric, double value) {
  switch (metric.unit) {
    case record::Unit::microseconds:
      return time_text(value);
    case record::Unit::microjoules:
      return energy_text(value);
    case record::Unit::plain:
      break;
  }
  return significant(value);
}

std::string delta_text(const BoardReport& board) {
  return fmt::format("{:.2g} %", std::expm1(board.delta) * 100);
}

bool empty(const std::string& cell) { return cell.empty() || cell == none; }

// Drops columns that may go and in which no line has anything.
void drop_empty(Table& table) {
  for (std::size_t c = table.columns.size(); c-- > 0;) {
    if (table.columns[c].importance == 0) continue;
    if (!std::ranges::all_of(table.lines, [&](const Line& line) { return empty(line.cells[c]); })) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    table.columns.erase(table.columns.begin() + at);
    for (Line& line : table.lines) line.cells.erase(line.cells.begin() + at);
  }
}

// "a / b, a / c", each pair once.
std::string undecided_pairs(const BoardReport& board) {
  constexpr int most = 6;
  std::string text;
  int count = 0;
  for (auto row = board.rows.begin(); row != board.rows.end(); ++row) {
    for (const std::string& other : row->undecided) {
      if (std::any_of(board.rows.begin(), row,
                      [&](const Row& earlier) { return earlier.contestant == other; }))
        continue;
      if (++count <= most) text += fmt::format("{}{} / {}", text.empty() ? "" : ", ", row->contestant, other);
    }
  }
  return count > most ? fmt::format("{} and {} more", text, count - most) : text;
}

// Said where it is more than chance: one entry in a hundred is found of each kind without any cause.
std::string unsteady_text(const Unsteady& unsteady) {
  constexpr double worth_saying = 0.05;
  const int worst = std::max(unsteady.dependent, unsteady.trending);
  if (worst <= worth_saying * unsteady.entries || worst < 2) return "";
  return fmt::format(
      "of {} entries {} had samples that depend on each other, and {} samples that rose or fell. The "
      "intervals of these are too narrow; ranks compare rounds, and are not affected",
      unsteady.entries, unsteady.dependent, unsteady.trending);
}

bool has(const BoardReport& board, const record::Metric& metric) {
  return std::ranges::any_of(board.rows, [&](const Row& row) { return row.metrics[metric].has_value(); });
}

// What the columns mean that do not rank, of those that there are.
std::vector<std::string> metric_meanings(const BoardReport& board) {
  std::vector<std::string> notes;
  std::string_view closing;
  for (const record::Metric* metric : record::metrics()) {
    if (metric->meaning.empty() || !has(board, *metric)) continue;
    if (notes.empty() || metric->closing != closing)
      notes.emplace_back();
    else
      notes.back().resize(notes.back().size() - closing.size());
    closing = metric->closing;
    notes.back() += fmt::format("{}: {}; {}", metric->header, metric->meaning, closing);
  }
  return notes;
}

// By how much a metric differs from the time that ranks, in the rows where that is more than a little.
std::string difference_text(const BoardReport& board, const record::Metric& metric) {
  constexpr double little = 0.02;
  std::string text;
  for (const Row& row : board.rows)
    if (const auto& value = row.metrics[metric];
        row.time && value && std::abs(*value / *row.time - 1) > little)
      text += fmt::format("{}{} {} ({:+.1f} %)", text.empty() ? "" : ", ", one_line(row.contestant),
                          metric_text(metric, *value), 100 * (*value / *row.time - 1));
  return text.empty() ? text : fmt::format("{}: {}; {}", metric.difference, text, metric.closing);
}

// Why a row lacks a number; empty: it does not, or for no reason.
std::string reason_of_absence(const Row& row, const record::Metric& metric) {
  if (row.metrics[metric]) return "";
  const auto why =
      std::ranges::find_if(row.timings, [&](const Timing& t) { return !t.unmeasured[metric].empty(); });
  return why == row.timings.end() ? "" : one_line(why->unmeasured[metric]);
}

std::vector<std::string> absences(const BoardReport& board, const record::Metric& metric) {
  std::vector<std::string> notes;
  const bool others = has(board, metric);
  for (const Row& row : board.rows) {
    const std::string why = reason_of_absence(row, metric);
    if (why.empty()) continue;
    if (metric.absence == record::Absence::told_of_each && others)
      notes.push_back(fmt::format("{} has no {}: {}", one_line(row.contestant), metric.noun, why));
    // The first of several: mostly it is the device's.
    if (metric.absence == record::Absence::told_once && notes.empty())
      notes.push_back(
          fmt::format("no {}{}: {}", metric.noun, others ? " of " + one_line(row.contestant) : "", why));
  }
  return notes;
}

// Of the fastest workload of each row whose rate is above what was measured as the ceiling.
std::string above_ceiling_text(const BoardReport& board) {
  std::string text;
  for (const Row& row : board.rows) {
    double highest = 0;
    for (const Timing& timing : row.timings) highest = std::max(highest, timing.sol_raw.value_or(0));
    if (highest > 1)
      text += fmt::format("{}{} at {} %", text.empty() ? "" : ", ", one_line(row.contestant),
                          percent_text(highest));
  }
  return text.empty()
             ? text
             : fmt::format("faster than calibrated, which % SOL shows as 100: {} of the ceiling", text);
}

template <class Holds>
bool any(const BoardReport& board, Holds holds) {
  return std::ranges::any_of(board.rows, holds);
}
bool timed(const BoardReport& board) { return any(board, has_numbers); }

// Of the rows that have it, the median; none if no row has it.
std::optional<double> median_of(const BoardReport& board, std::optional<double> Row::* member) {
  std::vector<double> values;
  for (const Row& row : board.rows)
    if (row.*member) values.push_back(*(row.*member));
  return values.empty() ? std::nullopt : std::optional(measure::median(values).value);
}

std::string devices_text(const BoardReport& board) {
  const auto within = median_of(board, &Row::within_device),
             between = median_of(board, &Row::between_devices);
  std::string text = fmt::format("rounds of {}", counted(board.devices, "device"));
  if (within) text += fmt::format("; a row's time scatters by {:.2g} % within a device", *within);
  if (between) text += fmt::format(" and by {:.2g} % between devices", *between);
  return within ? text + " (standard deviations, medians over rows)" : text;
}

// Why there are no ranks, or why they may not hold.
std::vector<std::string> doubts(const BoardReport& board) {
  std::vector<std::string> notes;
  if (!timed(board)) return notes;
  if (board.rounds < board.planned_rounds)
    notes.push_back(
        fmt::format("unfinished: {} of {} rounds are complete", board.rounds, board.planned_rounds));
  if (board.rounds < rank::least_rounds)
    notes.push_back(
        fmt::format("no ranks: they take {} rounds (--rounds {})", rank::least_rounds, rank::least_rounds));
  else if (board.twin_timed && board.delta > doubtful_delta)
    notes.push_back(
        fmt::format("doubtful: the baseline, measured twice, differs from itself by up to {}. The machine is "
                    "busy, or the baseline's speed depends on what its process did before",
                    delta_text(board)));
  if (board.apart)
    notes.emplace_back(
        "one of several tables of this board: ranks and times compare within a table, whose rounds were "
        "measured together. Between tables with the same baseline only speed-ups compare, each with its "
        "interval");
  for (const std::string& why : board.sick)
    notes.push_back(fmt::format("measured on a sick device: {}", one_line(why)));
  for (const auto& [why, entries] : board.set_aside)
    notes.push_back(fmt::format("{} on record: {}",
                                entries == 1 ? "an entry does not count that is"
                                             : fmt::format("{} entries do not count that are", entries),
                                one_line(why)));
  if (board.baseline.empty())
    notes.emplace_back("no speed-up: the problem names no baseline for this backend");
  else if (!board.baseline_timed)
    notes.push_back(fmt::format("no speed-up: the baseline {} was not timed", one_line(board.baseline)));
  if (any(board, [](const Row& row) { return row.throttled && has_numbers(row); }))
    notes.push_back(throttled_text(board.conditions));
  if (any(board, [](const Row& row) { return row.judged && has_numbers(row); }))
    notes.emplace_back(
        "judge's clock: the machine was too busy to attest the worker's times of some rounds; there the "
        "judge's times count");
  return notes;
}

// Rows that are ranked without some of the tests.
std::string declined_tests_text(const BoardReport& board) {
  std::vector<std::string> rows;
  for (const Row& row : board.rows)
    if (!row.declined_tests.empty() && has_numbers(row))
      rows.push_back(fmt::format("{} ({})", one_line(row.contestant),
                                 one_line(fmt::format("{}", fmt::join(row.declined_tests, "; ")))));
  return rows.empty()
             ? ""
             : fmt::format("declined tests, on which nothing is verified: {}", fmt::join(rows, ", "));
}

// Who is not ranked or not told apart, and numbers that are not what they seem.
std::vector<std::string> standings(const BoardReport& board) {
  std::vector<std::string> notes;
  for (const Row& row : board.rows)
    if (row.standing == Standing::unranked)
      notes.push_back(fmt::format("{} is not ranked: {}", one_line(row.contestant), reason_text(row)));
  if (const std::string pairs = undecided_pairs(board); board.rounds >= rank::least_rounds && !pairs.empty())
    notes.push_back(
        fmt::format("? neither a difference nor equality is shown, more rounds would decide: {}", pairs));
  if (board.stage == "quick" && timed(board))
    notes.emplace_back("quick workloads: ranked among themselves, not to be compared with bench");
  if (const std::string text = above_ceiling_text(board); !text.empty()) notes.push_back(text);
  if (const std::string text = declined_tests_text(board); !text.empty()) notes.push_back(text);
  if (any(board, [](const Row& row) { return row.blocking; }))
    notes.emplace_back("blocking: waits inside the call; its time includes launch latency");
  return notes;
}

// What else was seen while the board ran.
std::vector<std::string> observations(const BoardReport& board) {
  std::vector<std::string> notes;
  if (const Canary& canary = board.canary; canary.put_off + canary.disturbed > 0)
    notes.push_back(
        fmt::format("canary: the device was disturbed before {} of {} entries; {} were measured nevertheless",
                    std::max(canary.put_off, canary.disturbed), canary.entries, canary.disturbed));
  if (board.canary.recovered > 0)
    notes.push_back(
        fmt::format("canary: before {} of them the disturbance stopped when parked workers were ended",
                    board.canary.recovered));
  for (const std::string& contestant : board.excused)
    notes.push_back(
        fmt::format("{} failed while others' workers were parked, and was right without them: from "
                    "there on every worker was ended with its turn",
                    one_line(contestant)));
  if (board.rounds >= rank::least_rounds && board.baseline_timed && !board.twin_timed)
    notes.emplace_back("the baseline ran only once in each round: only differences above 1 % count");
  if (board.devices > 0) notes.push_back(devices_text(board));
  if (const std::string text = unsteady_text(board.unsteady); !text.empty()) notes.push_back(text);
  if (const std::string text = discarded_text(board.conditions); !text.empty()) notes.push_back(text);
  for (const record::Metric* metric : record::metrics())
    if (!metric->difference.empty())
      if (const std::string text = difference_text(board, *metric); !text.empty()) notes.push_back(text);
  for (const record::Metric* metric : record::metrics())
    std::ranges::move(absences(board, *metric), std::back_inserter(notes));
  return notes;
}

// What columns and marks mean.
std::vector<std::string> meanings(const BoardReport& board) {
  std::vector<std::string> notes;
  if (board.workloads.size() > 1 && timed(board))
    notes.emplace_back("* geometric mean over the workloads, as are the rates beside it");
  if (timed(board) && board.empty_call)
    notes.push_back(fmt::format("an empty call takes {}: part of every time", time_text(*board.empty_call)));
  std::ranges::move(metric_meanings(board), std::back_inserter(notes));
  if (any(board, [](const Row& row) { return row.sol.has_value(); }))
    notes.emplace_back("% SOL: least time by the device's measured rates of memory, over the time");
  if (any(board, [](const Row& row) { return std::ranges::any_of(row.timings, &Timing::arithmetic); }))
    notes.back() +=
        "; where arithmetic takes longer, the operations at the fastest rate calibrated for the type";
  if (!board.calibrated.empty())
    notes.push_back(
        fmt::format("ceiling: the device's calibration of {}, since the run knew none", board.calibrated));
  return notes;
}

}  // namespace

Table ranking_table(const BoardReport& board) {
  const bool single = board.workloads.size() == 1;
  struct Definition {
    Column column;
    std::function<std::string(const Row&)> cell;
  };
  // A CPU's rates, and those of work that is mostly moving data, are thousandths of a TFLOP/s.
  const bool tera =
      std::ranges::any_of(board.rows, [](const Row& row) { return row.tflop_per_s.value_or(0) >= 1; });
  const std::string against = board.baseline_timed ? fmt::format("vs {} (95 %)", board.baseline) : "speed-up";
  std::vector<Definition> definitions{
      {{.header = "rank", .names = true, .importance = 10},
       [&](const Row& row) { return rank_text(row, board); }},
      {{.header = "contestant", .names = true}, [](const Row& row) { return one_line(row.contestant); }},
      {{.header = "kind", .names = true, .importance = 3}, kind_text},
      {{.header = against, .importance = 9}, interval_text},
      {{.header = single ? "time" : "time*", .right = true, .importance = 8},
       [](const Row& row) { return or_none(row.time, time_text); }},
      {{.header = "±", .right = true, .importance = 7},
       [](const Row& row) {
         constexpr std::size_t sign = std::string_view("±").size();
         return row.time && row.time_low && row.time_high
                    ? spread_text(*row.time, *row.time_low, *row.time_high).substr(sign)
                    : "";
       }},
      {{.header = "GB/s", .right = true, .importance = 6},
       [](const Row& row) { return or_none(row.gb_per_s, significant); }},
      {{.header = tera ? "TFLOP/s" : "GFLOP/s", .right = true, .importance = 6},
       [&](const Row& row) {
         return row.tflop_per_s ? significant(*row.tflop_per_s * (tera ? 1 : 1e3)) : std::string(none);
       }},
      {{.header = "% SOL", .right = true, .importance = 5},
       [](const Row& row) { return or_none(row.sol, percent_text); }}};
  for (const record::Metric* metric : record::metrics())
    if (!metric->header.empty())
      definitions.push_back(
          {{.header = std::string(metric->header), .right = true, .importance = metric->importance},
           [=](const Row& row) {
             const auto& value = row.metrics[*metric];
             return value ? metric_text(*metric, *value) : std::string(none);
           }});
  definitions.insert(
      definitions.end(),
      {{{.header = "err/tol", .right = true, .importance = 2},
        [](const Row& row) { return row.worst > 0 ? fmt::format("{:.2f}", row.worst) : std::string(none); }},
       {{.header = "fp64 err", .right = true, .importance = 2},
        [](const Row& row) { return row.exact >= 0 ? fmt::format("{:.1e}", row.exact) : std::string(none); }},
       {{.header = "notes", .importance = 4, .stretches = true}, notes_text},
       {{.header = "title", .importance = 1, .stretches = true},
        [](const Row& row) { return one_line(row.title); }}});

  Table table;
  for (const Definition& definition : definitions) table.columns.push_back(definition.column);
  for (const Row& row : board.rows) {
    Line& line = table.lines.emplace_back();
    line.remark = remark_of(row);
    for (const Definition& definition : definitions)
      line.cells.push_back(has_numbers(row) || definition.column.names ? definition.cell(row) : "");
  }
  drop_empty(table);
  return table;
}

Table workload_table(const BoardReport& board) {
  Table table;
  if (board.workloads.size() < 2) return table;
  table.columns.push_back({.header = "contestant"});
  for (const std::string& workload : board.workloads)
    table.columns.push_back({.header = one_line(workload), .right = true});
  for (const Row& row : board.rows) {
    if (!has_numbers(row)) continue;
    Line& line = table.lines.emplace_back();
    line.cells.push_back(one_line(row.contestant));
    for (const Timing& timing : row.timings) line.cells.push_back(time_and_spread(timing));
  }
  return table;
}

Table overall_table(const std::vector<Overall>& overall) {
  Table table{.columns = {{.header = "contestant", .names = true},
                          {.header = "problems", .right = true, .importance = 1},
                          {.header = "boards", .right = true, .importance = 2},
                          {.header = "workloads", .right = true, .importance = 3},
                          {.header = "win rate", .right = true}},
              .lines = {}};
  for (int importance = 6; const double factor : rank::fast_factors)
    table.columns.push_back(
        {.header = fmt::format("fast_{}", factor), .right = true, .importance = importance--});
  for (const Overall& one : overall) {
    const auto share = [&](int count) {
      return fmt::format("{} %", percent_text(static_cast<double>(count) / one.wins.workloads));
    };
    Line& line = table.lines.emplace_back();
    line.cells = {one_line(one.contestant), fmt::format("{}", one.problems), fmt::format("{}", one.boards),
                  fmt::format("{}", one.wins.workloads), share(one.wins.won)};
    for (const int count : one.wins.fast) line.cells.push_back(share(count));
  }
  return table;
}

std::string heading(const BoardReport& board) {
  return fmt::format("{} · {} · {}", one_line(board.problem),
                     one_line(board.types.empty() ? "fixed" : board.types),
                     board.stage == "test" ? "verification" : one_line(board.stage));
}

std::string subheading(const BoardReport& board) {
  if (board.stage == "test" && board.verified_on.empty()) return "nothing is verified, timed or ranked";
  if (board.stage == "test")
    return fmt::format("verified on {} workloads; nothing is timed or ranked",
                       fmt::join(board.verified_on, " and "));
  std::string text = counted(board.workloads.size(), "workload");
  if (board.workloads.size() == 1) text = fmt::format("workload {}", one_line(board.workloads[0]));
  text += fmt::format("; {}", counted(board.rounds, "round"));
  if (board.rounds >= rank::least_rounds)
    text += fmt::format("; differences below {} do not count", delta_text(board));
  if (!board.run.empty()) text += fmt::format("; run {}", one_line(board.run));
  if (board.series > 0) text += fmt::format("; series {}", board.series);
  return text;
}

std::vector<std::string> footnotes(const BoardReport& board) {
  std::vector<std::string> notes;
  if (board.stage == "test" || board.rows.empty()) return notes;
  for (const auto& part : {doubts, standings, observations, meanings}) {
    std::vector<std::string> more = part(board);
    std::ranges::move(more, std::back_inserter(notes));
  }
  return notes;
}

std::string device_text(const record::DeviceKey& key) {
  std::string text = one_line(key.product.empty() ? "unknown device" : key.product);
  if (!key.architecture.empty()) text += fmt::format(" ({})", one_line(key.architecture));
  if (!key.partition.empty()) text += fmt::format(", {}", one_line(key.partition));
  return text;
}

}  // namespace podium::report
