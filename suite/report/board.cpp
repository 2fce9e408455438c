// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards from entries: which row stands where, and with what numbers.
#include "suite/report/board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/base/known.hpp"
#include "suite/measure/components.hpp"
#include "suite/measure/disturbance.hpp"
#include "suite/measure/least_time.hpp"
#include "suite/measure/samples.hpp"
#include "suite/measure/steadiness.hpp"
#include "suite/rank/ranking.hpp"
#include "suite/record/calibration.hpp"
#include "suite/report/calibration.hpp"
#include "suite/report/gather.hpp"

namespace podium::report {
namespace {

// The fastest that the device's calibration knows for operands of a board's one type, 0 if it knows none:
// tf32 for f32, since a tolerance may admit it.
double fastest_arithmetic(const std::string& types, const record::Provenance& provenance) {
  std::string type = types;
  // Two tensors of one type: "bf16-bf16".
  if (const auto half = types.size() / 2;
      types.size() % 2 == 1 && types[half] == '-' && types.substr(0, half) == types.substr(half + 1))
    type = types.substr(0, half);
  if (type == "e4m3_fnuz") type = "e4m3";
  double fastest = 0;
  for (const std::string& name : {"fma_" + type, "matrix_" + (type == "f32" ? "tf32" : type)})
    if (const auto rate = provenance.arithmetic.find(name); rate != provenance.arithmetic.end())
      fastest = std::max(fastest, rate->second);
  return fastest;
}

measure::Ceilings ceilings_of(const std::string& types, const record::Provenance& provenance) {
  return {.copy = provenance.copy_bytes_per_second,
          .read = provenance.read_bytes_per_second,
          .write = provenance.write_bytes_per_second,
          .arithmetic = fastest_arithmetic(types, provenance)};
}

Timing timing_of(const Gathered& gathered, std::size_t workload, int rounds,
                 const measure::Ceilings& ceilings) {
  Timing timing{.declined = gathered.declined[workload]};
  std::vector<double> medians;
  for (const auto& [round, median] : gathered.times[workload])
    if (rounds == 0 || round < rounds) medians.push_back(median);
  if (medians.empty()) return timing;
  const measure::Median middle = measure::median(medians);
  timing.rounds = static_cast<int>(medians.size());
  timing.median = middle;
  for (const record::Metric* metric : record::metrics())
    if (const auto& values = gathered.metrics[workload][*metric]; !values.empty())
      timing.metrics[*metric] = measure::median(values).value;
  timing.unmeasured = gathered.unmeasured[workload];
  const double seconds = middle.value * 1e-6, bytes = gathered.bytes[workload],
               flops = gathered.flops[workload];
  if (bytes > 0) timing.gb_per_s = bytes / seconds * 1e-9;
  if (flops > 0) timing.tflop_per_s = flops / seconds * 1e-12;
  const measure::LightTime light =
      measure::light_time({.bytes = bytes, .written = gathered.written[workload], .flops = flops}, ceilings);
  if (light.seconds > 0) timing.sol_raw = light.seconds / seconds;
  timing.arithmetic = light.arithmetic;
  timing.weighed = light.weighed;
  return timing;
}

using Number = std::function<std::optional<double>(const Timing&)>;

std::optional<double> geometric_mean(const std::vector<Timing>& timings, const Number& number) {
  double sum = 0;
  for (const Timing& timing : timings) {
    const auto value = number(timing);
    if (!value) return std::nullopt;
    sum += std::log(*value);
  }
  if (timings.empty()) return std::nullopt;
  return std::exp(sum / static_cast<double>(timings.size()));
}

// Of the time of a row: over those rounds that timed every workload, of their geometric means, by order
// statistics as of one workload. Nothing of a single round.
std::optional<measure::Median> time_over_rounds(const Gathered& gathered, int rounds) {
  std::vector<double> means;
  for (const auto& [round, first] : gathered.times.at(0)) {
    double sum = 0;
    bool counts = rounds == 0 || round < rounds;
    for (const auto& times : gathered.times)
      if (const auto found = times.find(round); found == times.end())
        counts = false;
      else
        sum += std::log(found->second);
    if (counts) means.push_back(std::exp(sum / static_cast<double>(gathered.times.size())));
  }
  return means.size() < 2 ? std::nullopt : std::optional(measure::median(means));
}

Standing standing_of(const Gathered& gathered) {
  if (gathered.failure) return Standing::failed;
  if (gathered.timed()) return Standing::unranked;  // until the ranking says otherwise
  if (!gathered.verified && gathered.refusal) return Standing::declined;
  if (gathered.emulated) return Standing::emulated;
  return std::ranges::any_of(gathered.declined, [](const auto& why) { return !why.empty(); })
             ? Standing::declined
             : Standing::verified;
}

Row row_of(const Gathered& gathered, const BoardReport& board, const record::Provenance& provenance) {
  Row row{.contestant = gathered.contestant,
          .baseline = gathered.contestant == board.baseline,
          .standing = standing_of(gathered),
          .worst = gathered.worst,
          .exact = gathered.exact,
          .checked = gathered.checked,
          .blocking = gathered.blocking,
          .judged = gathered.judged,
          .declined_tests = gathered.declined_tests};
  const auto known =
      std::ranges::find_if(provenance.contestants, [&](const record::ContestantRecord& contestant) {
        return contestant.problem == board.problem && contestant.name == gathered.contestant;
      });
  if (known != provenance.contestants.end()) {
    row.title = known->title;
    row.author = known->author;
    row.kind = known->kind;
    row.tier = known->tier;
  }
  if (row.standing == Standing::failed || row.standing == Standing::declined) {
    const auto& why = row.standing == Standing::failed ? gathered.failure : gathered.refusal;
    row.verdict = why.value_or(Verdict::none);
    row.text = row.standing == Standing::failed ? gathered.text : gathered.refusal_text;
    return row;
  }
  const measure::Ceilings ceilings = ceilings_of(board.types, provenance);
  for (std::size_t workload = 0; workload < board.workloads.size(); ++workload)
    row.timings.push_back(timing_of(gathered, workload, board.rounds, ceilings));
  row.time = geometric_mean(
      row.timings, [](const Timing& t) { return t.rounds ? std::optional(t.median.value) : std::nullopt; });
  if (const auto over = row.time ? time_over_rounds(gathered, board.rounds) : std::nullopt) {
    row.time_low = std::min(over->low, *row.time);  // the mean of medians may lie outside
    row.time_high = std::max(over->high, *row.time);
  }
  row.gb_per_s = geometric_mean(row.timings, [](const Timing& t) { return t.gb_per_s; });
  row.tflop_per_s = geometric_mean(row.timings, [](const Timing& t) { return t.tflop_per_s; });
  row.sol = geometric_mean(row.timings, [](const Timing& t) { return t.sol(); });
  row.sol_raw = geometric_mean(row.timings, [](const Timing& t) { return t.sol_raw; });
  for (const record::Metric* metric : record::metrics())
    if (metric->aggregation == record::Aggregation::geometric_mean)
      row.metrics[*metric] = geometric_mean(row.timings, [&](const Timing& t) { return t.metrics[*metric]; });
  if (row.standing == Standing::unranked) {
    const auto missing = std::ranges::find_if(row.timings, [](const Timing& t) { return t.rounds == 0; });
    if (missing != row.timings.end()) {
      row.verdict = missing->declined.empty() ? Verdict::not_finished : Verdict::unsupported;
      const std::string& workload = board.workloads[static_cast<std::size_t>(missing - row.timings.begin())];
      row.text = missing->declined.empty() ? workload : fmt::format("{}: {}", workload, missing->declined);
    } else {
      row.verdict = Verdict::not_finished;
    }
  }
  return row;
}

rank::Candidate runner_of(const std::string& name, const std::vector<std::map<int, double>>& times,
                          int rounds) {
  rank::Candidate runner{.name = name, .times = {}};
  for (const auto& workload : times) {
    auto& medians = runner.times.emplace_back(static_cast<std::size_t>(rounds), rank::missing);
    for (const auto& [round, median] : workload)
      if (round < rounds) medians[static_cast<std::size_t>(round)] = median;
  }
  return runner;
}

void rank_rows(BoardReport& board, const std::vector<Gathered>& all) {
  if (board.rounds == 0) return;
  // Names of contestants are names of files: none holds a slash.
  const std::string twin = board.baseline + "/twin", no_baseline = "/no baseline";
  std::vector<rank::Candidate> runners;
  for (const Gathered& gathered : all) {
    if (!gathered.timed()) continue;
    runners.push_back(runner_of(gathered.contestant, gathered.times, board.rounds));
    if (gathered.contestant != board.baseline) continue;
    board.baseline_timed = true;
    board.twin_timed = gathered.timed_twin();
    if (board.twin_timed) runners.push_back(runner_of(twin, gathered.twin_times, board.rounds));
  }
  if (!board.baseline_timed)
    runners.push_back(
        runner_of(no_baseline, std::vector<std::map<int, double>>(board.workloads.size()), board.rounds));

  const rank::Ranking ranking =
      rank::rank(runners, board.baseline_timed ? board.baseline : no_baseline, twin);
  board.delta = ranking.delta;
  std::vector<std::string> order;
  for (const rank::Row& ranked : ranking.rows) {
    order.push_back(ranked.name);
    const auto row = std::ranges::find(board.rows, ranked.name, &Row::contestant);
    if (row == board.rows.end() || !ranked.scored) continue;
    row->standing = Standing::ranked;
    row->verdict = Verdict::none;
    row->rank = ranked.rank;
    row->last = ranked.last;
    row->undecided = ranked.undecided;
    row->score = known(ranked.score);
    row->score_low = known(ranked.score_low);
    row->score_high = known(ranked.score_high);
  }
  std::ranges::stable_sort(board.rows, {},
                           [&](const Row& row) { return std::ranges::find(order, row.contestant); });
}

Unsteady unsteady_of(const std::vector<const record::Entry*>& entries, const BoardReport& board) {
  constexpr std::size_t enough = 10;  // samples
  constexpr double level = 0.01;
  Unsteady result;
  for (const record::Entry* entry : entries) {
    if (entry->stage != board.stage || entry->microseconds.size() < enough) continue;
    const measure::Steadiness found = measure::steadiness(entry->microseconds);
    ++result.entries;
    result.dependent += found.autocorrelation_p < level;
    result.trending += found.trend_p < level;
  }
  return result;
}

Canary canary_of(const std::vector<const record::Entry*>& entries, const BoardReport& board, double slack) {
  Canary result;
  int ended = 0;
  std::vector<double> last;
  for (const record::Entry* entry : entries) {
    if (entry->stage != board.stage || entry->canaries.empty()) continue;
    result.put_off += entry->canaries.size() > 1;
    ended += entry->canaries.size() > 2;
    last.push_back(entry->canaries.back());
  }
  const measure::Disturbance found = measure::disturbance(last, slack);
  result.entries = found.entries;
  result.disturbed = found.disturbed;
  result.recovered = std::max(0, ended - found.disturbed);
  return result;
}

// Of the entries whose median the row shows: the baseline's twin has none of them.
void add_conditions(BoardReport& board, const std::vector<const record::Entry*>& entries) {
  const auto of = [&](auto&& holds) {
    std::vector<const record::Entry*> chosen;
    std::ranges::copy_if(entries, std::back_inserter(chosen), [&](const record::Entry* entry) {
      return entry->stage == board.stage && entry->round >= 0 && holds(*entry);
    });
    return conditions_of(chosen);
  };
  board.conditions = of([](const record::Entry&) { return true; });
  for (Row& row : board.rows) {
    const auto its = [&](const record::Entry& entry) {
      return entry.contestant == row.contestant && !entry.twin;
    };
    row.throttled = of(its).throttled();
    for (std::size_t w = 0; w < row.timings.size(); ++w)
      row.timings[w].conditions =
          of([&](const record::Entry& entry) { return its(entry) && entry.workload == board.workloads[w]; });
  }
}

std::vector<double> rounds_of(const std::map<int, double>& times, int rounds) {
  std::vector<double> all;
  for (const auto& [round, time] : times)
    if (round < rounds) all.push_back(time);
  if (std::ssize(all) != rounds) all.clear();
  return all;
}

// A workload counts where the baseline finished it and the contestant did not decline it.
void count_wins(BoardReport& board, const std::vector<Gathered>& all) {
  const auto baseline = std::ranges::find(all, board.baseline, &Gathered::contestant);
  if (board.rounds == 0 || baseline == all.end() || !baseline->timed()) return;
  for (const Gathered& gathered : all) {
    const auto row = std::ranges::find(board.rows, gathered.contestant, &Row::contestant);
    if (row->baseline || row->standing == Standing::declined || row->standing == Standing::emulated) continue;
    for (std::size_t w = 0; w < board.workloads.size(); ++w) {
      const auto to_beat = rounds_of(baseline->times[w], board.rounds);
      if (to_beat.empty() || !gathered.declined[w].empty()) continue;
      row->wins.add(gathered.timed() ? rounds_of(gathered.times[w], board.rounds) : std::vector<double>{},
                    to_beat, board.delta);
    }
  }
}

// The device of each complete round, of a run whose segments know it.
std::map<int, std::string> devices_of(const std::vector<const record::Entry*>& entries,
                                      const BoardReport& board, const record::Provenance& provenance) {
  std::map<int, std::string> devices;
  for (const record::Entry* entry : entries) {
    const auto segment = static_cast<std::size_t>(entry->segment);
    if (entry->round < 0 || entry->round >= board.rounds || segment >= provenance.segments.size()) continue;
    if (const std::string& device = provenance.segments[segment].device; !device.empty())
      devices[entry->round] = provenance.segments[segment].node + "/" + device;
  }
  return devices;
}

// Geometric means over the workloads of each round, by device.
std::vector<std::vector<double>> log_times(const Gathered& gathered,
                                           const std::map<int, std::string>& devices) {
  std::map<std::string, std::vector<double>> groups;
  for (const auto& [round, device] : devices) {
    double sum = 0;
    bool whole = true;
    for (const auto& times : gathered.times)
      if (const auto found = times.find(round); found != times.end())
        sum += std::log(found->second);
      else
        whole = false;
    if (whole) groups[device].push_back(sum / static_cast<double>(gathered.times.size()));
  }
  std::vector<std::vector<double>> all;
  for (auto& [device, times] : groups) all.push_back(std::move(times));
  return all;
}

// How times spread within a device and between devices, and which of them are sick.
void add_devices(BoardReport& board, const std::vector<const record::Entry*>& entries,
                 const std::vector<Gathered>& all, const record::Provenance& provenance) {
  const auto devices = devices_of(entries, board, provenance);
  std::set<std::string> names;
  for (const auto& [round, device] : devices) names.insert(device);
  board.devices = static_cast<int>(names.size());
  for (const record::Segment& segment : provenance.segments)
    if (!segment.sick.empty() && names.contains(segment.node + "/" + segment.device) &&
        std::ranges::find(board.sick, segment.sick) == board.sick.end())
      board.sick.push_back(segment.sick);
  for (const Gathered& gathered : all) {
    if (board.devices == 0 || !gathered.timed()) continue;
    const auto row = std::ranges::find(board.rows, gathered.contestant, &Row::contestant);
    const measure::Components spread = measure::components(log_times(gathered, devices));
    const auto percent = [](double deviation) { return 100 * deviation; };
    if (spread.within) row->within_device = percent(*spread.within);
    if (spread.between) row->between_devices = percent(*spread.between);
  }
}

void fill(BoardReport& board, const record::Run& run, const record::Provenance& provenance) {
  const auto entries = entries_of(run, board.problem, board.types, board.stage, board.series);
  for (const record::Entry* entry : entries) {
    const bool timed = entry->stage == board.stage && board.stage != "test" && !entry->workload.empty();
    if (timed && std::ranges::find(board.workloads, entry->workload) == board.workloads.end())
      board.workloads.push_back(entry->workload);
  }
  for (const char* stage : {"test", "quick", "bench"})
    if (std::ranges::any_of(entries,
                            [&](const auto* entry) { return entry->round < 0 && entry->stage == stage; }))
      board.verified_on.emplace_back(stage);
  const std::vector<Gathered> all = gather(entries, board.workloads);
  board.rounds = complete_rounds(all);
  for (const Gathered& gathered : all) board.rows.push_back(row_of(gathered, board, provenance));
  rank_rows(board, all);
  count_wins(board, all);
  add_devices(board, entries, all, provenance);
  board.unsteady = unsteady_of(entries, board);
  for (const record::Entry* entry : entries)
    if (entry->stage == board.stage && entry->verdict == Verdict::right && !entry->excused.empty())
      board.excused.push_back(entry->contestant);
  board.canary =
      canary_of(entries, board, measure::canary_slack(recorded_backend(provenance.device.backend).gpu));
  add_conditions(board, entries);
  std::ranges::stable_sort(board.rows, {}, &Row::standing);
}

// The boards that were planned, then those that only entries know of.
std::vector<BoardReport> boards_of(const record::Run& run, const record::Provenance& provenance) {
  std::vector<BoardReport> boards;
  for (const record::BoardRecord& planned : provenance.boards)
    boards.push_back(
        {.problem = planned.problem,
         .title = planned.title,
         .types = planned.types,
         .stage = planned.stage.empty() ? "test" : planned.stage,
         .series = planned.series,
         .baseline = planned.baseline,
         .workloads = planned.workloads,
         .planned_rounds = provenance.rounds,
         .empty_call = planned.empty_call >= 0 ? std::optional(planned.empty_call) : std::nullopt});
  const auto has = [&](const record::Entry& entry, bool same_stage) {
    return std::ranges::any_of(boards, [&](const BoardReport& board) {
      return board.problem == entry.problem && board.types == entry.types && board.series == entry.series &&
             (!same_stage || board.stage == entry.stage);
    });
  };
  const auto add = [&](const record::Entry& entry, const std::string& stage) {
    boards.push_back({.problem = entry.problem,
                      .types = entry.types,
                      .stage = stage,
                      .series = entry.series,
                      .planned_rounds = provenance.rounds});
  };
  for (const record::Entry& entry : run.entries)
    if (entry.round >= 0 && !entry.stage.empty() && entry.stage != "test" && !has(entry, true))
      add(entry, entry.stage);
  for (const record::Entry& entry : run.entries)
    if (!has(entry, false)) add(entry, "test");
  return boards;
}

// Of a run that knew no calibration, the one that lies beside it counts, if it is of such a device with the
// same driver.
record::Provenance with_rates(record::Provenance provenance, const std::filesystem::path& folder) {
  const auto file = folder.parent_path() / "calibration.json";
  if (folder.empty() || !provenance.arithmetic.empty() || !std::filesystem::exists(file)) return provenance;
  try {
    const record::Calibration stored = record::read_calibration(file);
    if (record::slug(stored.provenance.device) != record::slug(provenance.device)) return provenance;
    provenance.arithmetic = arithmetic_of(stored, provenance.driver).rates;
    provenance.calibrated = stored.provenance.started;
  } catch (const Error&) {  // then there is no share
  }
  return provenance;
}

}  // namespace

double speed_of_light(const std::string& types, const measure::Work& work,
                      const record::Provenance& provenance) {
  return measure::light_time(work, ceilings_of(types, provenance)).seconds;
}

std::optional<double> Timing::sol() const {
  return sol_raw ? std::optional(std::min(1.0, *sol_raw)) : std::nullopt;
}

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::ranked:
      return "ranked";
    case Standing::unranked:
      return "unranked";
    case Standing::emulated:
      return "emulated";
    case Standing::verified:
      return "verified";
    case Standing::failed:
      return "failed";
    case Standing::declined:
      return "declined";
  }
  return "";
}

bool has_rank(const Row& row, const BoardReport& board) {
  return row.standing == Standing::ranked && board.rounds >= rank::least_rounds;
}

std::vector<Overall> overall_of(const std::vector<BoardReport>& boards) {
  std::map<std::string, Overall> all;
  std::map<std::string, std::set<std::string>> problems;
  std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
  for (const BoardReport& board : boards)
    for (const Row& row : board.rows) {
      if (row.wins.workloads == 0 || !board.counts ||
          !seen.emplace(board.problem, board.types, board.stage, row.contestant).second)
        continue;
      Overall& overall = all[row.contestant];
      overall.contestant = row.contestant;
      overall.boards += 1;
      overall.wins.add(row.wins);
      problems[row.contestant].insert(board.problem);
    }
  std::vector<Overall> ordered;
  for (auto& [name, overall] : all) {
    overall.problems = static_cast<int>(problems[name].size());
    ordered.push_back(overall);
  }
  std::ranges::stable_sort(ordered, std::greater{}, [](const Overall& one) {
    return static_cast<double>(one.wins.won) / one.wins.workloads;
  });
  return ordered;
}

const record::Provenance& provenance_of(const Report& report, const BoardReport& board) {
  const auto part = std::ranges::find(report.parts, board.run, &Part::run);
  return part == report.parts.end() ? report.provenance : part->provenance;
}

Report report_of(const record::Run& run) {
  Report report{.provenance = record::provenance_from(run.provenance), .boards = {}, .overall = {}};
  report.boards = boards_of(run, report.provenance);
  const record::Provenance rates = with_rates(report.provenance, run.folder);
  for (BoardReport& board : report.boards) {
    fill(board, run, rates);
    const bool weighed = std::ranges::any_of(
        board.rows, [](const Row& row) { return std::ranges::any_of(row.timings, &Timing::weighed); });
    if (weighed && report.provenance.arithmetic.empty()) board.calibrated = rates.calibrated;
  }
  for (const record::Entry& entry : run.entries) report.checked += entry.checked;
  for (const record::Entry& entry : run.set_aside)
    for (BoardReport& board : report.boards)
      if (entry.problem == board.problem && entry.types == board.types && entry.series == board.series)
        ++board.set_aside[entry.set_aside];
  for (BoardReport& board : report.boards)
    board.apart = std::ranges::any_of(report.boards, [&](const BoardReport& other) {
      return other.problem == board.problem && other.types == board.types && other.series != board.series;
    });
  report.overall = overall_of(report.boards);
  return report;
}

}  // namespace podium::report
