// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards as JSON, for programs.
#include <fmt/format.h>

#include "suite/rank/ranking.hpp"
#include "suite/record/fields.hpp"
#include "suite/report/format.hpp"
#include "suite/report/render.hpp"

namespace podium::report {
namespace {

using nlohmann::json;

void add_conditions(json& result, const Conditions& conditions) {
  result["clock_mhz"] = record::number(conditions.clock_mhz);
  result["temperature_c"] = record::number(conditions.temperature_c);
  result["power_w"] = record::number(conditions.power_w);
  result["sm_active_percent"] = record::number(conditions.sm_active_percent);
  result["memory_bandwidth_percent"] = record::number(conditions.memory_bandwidth_percent);
  result["tensor_active_percent"] = record::number(conditions.tensor_active_percent);
  result["samples"] = conditions.samples;
  result["discarded"] = conditions.discarded;
  result["slow"] = conditions.slow;
}

json json_of(const Conditions& conditions) {
  json result{{"reference_mhz", conditions.reference_mhz}};
  add_conditions(result, conditions);
  return result;
}

json json_of(const Timing& timing, const std::string& workload) {
  json result{{"workload", workload}, {"rounds", timing.rounds}};
  if (!timing.declined.empty()) result["declined"] = timing.declined;
  if (timing.rounds == 0) return result;
  result["median_us"] = timing.median.value;
  result["low_us"] = timing.median.low;
  result["high_us"] = timing.median.high;
  result["gb_per_s"] = record::number(timing.gb_per_s);
  result["tflop_per_s"] = record::number(timing.tflop_per_s);
  result["sol"] = record::number(timing.sol());
  result["sol_raw"] = record::number(timing.sol_raw);
  for (const record::Metric* metric : record::metrics()) {
    result[std::string(metric->key)] = record::number(timing.metrics[*metric]);
    if (const std::string& why = timing.unmeasured[*metric];
        metric->absence != record::Absence::untold && !why.empty())
      result[fmt::format("no_{}", metric->record)] = why;
  }
  add_conditions(result, timing.conditions);
  return result;
}

json json_of(const rank::Wins& wins) {
  json result{{"workloads", wins.workloads}, {"won", wins.won}};
  for (std::size_t k = 0; k < wins.fast.size(); ++k)
    result[fmt::format("fast_{}", rank::fast_factors[k])] = wins.fast[k];
  return result;
}

json json_of(const Canary& canary) {
  return {{"entries", canary.entries}, {"put_off", canary.put_off}, {"disturbed", canary.disturbed}};
}

json json_of(const Unsteady& unsteady) {
  return {{"entries", unsteady.entries}, {"dependent", unsteady.dependent}, {"trending", unsteady.trending}};
}

json json_of(const Row& row, const BoardReport& board) {
  json timings = json::array();
  for (std::size_t i = 0; i < row.timings.size(); ++i)
    timings.push_back(json_of(row.timings[i], board.workloads[i]));
  const bool ranked = has_rank(row, board);
  json result{{"contestant", row.contestant},
              {"title", row.title},
              {"author", row.author},
              {"kind", row.kind},
              {"tier", row.tier},
              {"baseline", row.baseline},
              {"standing", name_of(row.standing)},
              {"verdict", row.verdict.word()},
              {"text", row.text},
              {"rank", ranked ? json(row.rank) : json(nullptr)},
              {"last", ranked ? json(row.last) : json(nullptr)},
              {"undecided", row.undecided},
              {"score", record::number(row.score)},
              {"score_low", record::number(row.score_low)},
              {"score_high", record::number(row.score_high)},
              {"time_us", record::number(row.time)},
              {"time_low_us", record::number(row.time_low)},
              {"time_high_us", record::number(row.time_high)},
              {"gb_per_s", record::number(row.gb_per_s)},
              {"tflop_per_s", record::number(row.tflop_per_s)},
              {"sol", record::number(row.sol)},
              {"sol_raw", record::number(row.sol_raw)},
              {"worst_error", record::number(row.worst)},
              {"checked", record::to_json(row.checked)},
              {"blocking", row.blocking},
              {"throttled", row.throttled},
              {"judged", row.judged},
              {"wins", json_of(row.wins)},
              {"workloads", std::move(timings)}};
  if (row.exact >= 0) result["exact_error"] = record::number(row.exact);
  if (board.devices > 0) {
    result["within_device_percent"] = record::number(row.within_device);
    result["between_devices_percent"] = record::number(row.between_devices);
  }
  for (const record::Metric* metric : record::metrics())
    if (metric->aggregation == record::Aggregation::geometric_mean)
      result[std::string(metric->key)] = record::number(row.metrics[*metric]);
  return result;
}

json json_of(const BoardReport& board) {
  json rows = json::array();
  for (const Row& row : board.rows) rows.push_back(json_of(row, board));
  json result{{"problem", board.problem},
              {"title", board.title},
              {"types", board.types},
              {"stage", board.stage},
              {"series", board.series},
              {"run", board.run},
              {"set_aside", board.set_aside},
              {"baseline", board.baseline},
              {"workloads", board.workloads},
              {"rounds", board.rounds},
              {"planned_rounds", board.planned_rounds},
              {"delta", board.delta},
              {"unsteady", json_of(board.unsteady)},
              {"canary", json_of(board.canary)},
              {"empty_call_us", record::number(board.empty_call)},
              {"conditions", json_of(board.conditions)},
              {"rows", std::move(rows)}};
  if (board.devices > 0) result["devices"] = board.devices;
  if (!board.sick.empty()) result["sick"] = board.sick;
  if (!board.calibrated.empty()) result["calibrated"] = board.calibrated;
  return result;
}

}  // namespace

nlohmann::json to_json(const Report& report) {
  nlohmann::json boards = nlohmann::json::array();
  for (const BoardReport& board : report.boards) boards.push_back(json_of(board));
  nlohmann::json overall = nlohmann::json::array();
  for (const Overall& one : report.overall)
    overall.push_back({{"contestant", one.contestant},
                       {"problems", one.problems},
                       {"boards", one.boards},
                       {"wins", json_of(one.wins)}});
  nlohmann::json runs = nlohmann::json::array();
  for (const Part& part : report.parts)
    runs.push_back({{"run", part.run}, {"provenance", record::to_json(part.provenance)}});
  return {{"schema", record::schema},
          {"runs", std::move(runs)},
          {"provenance", record::to_json(report.provenance)},
          {"checked", record::to_json(report.checked)},
          {"boards", std::move(boards)},
          {"overall", std::move(overall)}};
}

std::string json_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

}  // namespace podium::report
