// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards as JSON and CSV, for programs.
#include <fmt/format.h>

#include <array>

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
  result["hot_us"] = record::number(timing.hot);
  result["graph_us"] = record::number(timing.graph);
  result["end_to_end_us"] = record::number(timing.end_to_end);
  result["steady_us"] = record::number(timing.steady);
  if (!timing.no_graph.empty()) result["no_graph"] = timing.no_graph;
  result["energy_uj"] = record::number(timing.energy);
  result["watts"] = record::number(timing.watts);
  if (!timing.no_energy.empty()) result["no_energy"] = timing.no_energy;
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

bool has_rank(const Row& row, const Board& board) {
  return row.standing == Standing::ranked && board.rounds >= rank::least_rounds;
}

json json_of(const Row& row, const Board& board) {
  json timings = json::array();
  for (std::size_t i = 0; i < row.timings.size(); ++i)
    timings.push_back(json_of(row.timings[i], board.workloads[i]));
  const bool ranked = has_rank(row, board);
  return {{"contestant", row.contestant},
          {"title", row.title},
          {"author", row.author},
          {"kind", row.kind},
          {"tier", row.tier},
          {"baseline", row.baseline},
          {"standing", name_of(row.standing)},
          {"verdict", row.verdict},
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
          {"hot_us", record::number(row.hot)},
          {"graph_us", record::number(row.graph)},
          {"end_to_end_us", record::number(row.end_to_end)},
          {"steady_us", record::number(row.steady)},
          {"energy_uj", record::number(row.energy)},
          {"worst_error", record::number(row.worst)},
          {"blocking", row.blocking},
          {"throttled", row.throttled},
          {"judged", row.judged},
          {"wins", json_of(row.wins)},
          {"workloads", std::move(timings)}};
}

json json_of(const Board& board) {
  json rows = json::array();
  for (const Row& row : board.rows) rows.push_back(json_of(row, board));
  return {{"problem", board.problem},
          {"title", board.title},
          {"types", board.types},
          {"stage", board.stage},
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
}

const std::vector<std::string>& csv_header() {
  static const std::vector<std::string> header{"device",
                                               "problem",
                                               "types",
                                               "stage",
                                               "workload",
                                               "contestant",
                                               "kind",
                                               "tier",
                                               "standing",
                                               "rank",
                                               "last",
                                               "score",
                                               "score_low",
                                               "score_high",
                                               "median_us",
                                               "low_us",
                                               "high_us",
                                               "gb_per_s",
                                               "tflop_per_s",
                                               "sol",
                                               "sol_raw",
                                               "hot_us",
                                               "graph_us",
                                               "end_to_end_us",
                                               "steady_us",
                                               "worst_error",
                                               "blocking",
                                               "verdict",
                                               "text",
                                               "clock_mhz",
                                               "temperature_c",
                                               "power_w",
                                               "energy_uj",
                                               "watts",
                                               "sm_active_percent",
                                               "memory_bandwidth_percent",
                                               "tensor_active_percent"};
  return header;
}

std::vector<std::string> csv_fields(const std::string& device, const Board& board, const Row& row,
                                    const std::string& workload, const Timing& timing) {
  const bool ranked = has_rank(row, board);
  const auto timed = [&](double value) { return timing.rounds > 0 ? fmt::format("{}", value) : ""; };
  const auto whole = [&](int value) { return ranked ? fmt::format("{}", value) : ""; };
  return {device,
          board.problem,
          board.types,
          board.stage,
          workload,
          row.contestant,
          row.kind,
          row.tier,
          std::string(name_of(row.standing)),
          whole(row.rank),
          whole(row.last),
          csv_number(row.score),
          csv_number(row.score_low),
          csv_number(row.score_high),
          timed(timing.median.value),
          timed(timing.median.low),
          timed(timing.median.high),
          csv_number(timing.gb_per_s),
          csv_number(timing.tflop_per_s),
          csv_number(timing.sol()),
          csv_number(timing.sol_raw),
          csv_number(timing.hot),
          csv_number(timing.graph),
          csv_number(timing.end_to_end),
          csv_number(timing.steady),
          fmt::format("{}", row.worst),
          row.blocking ? "1" : "0",
          row.verdict,
          one_line(row.text),
          csv_number(timing.conditions.clock_mhz),
          csv_number(timing.conditions.temperature_c),
          csv_number(timing.conditions.power_w),
          csv_number(timing.energy),
          csv_number(timing.watts),
          csv_number(timing.conditions.sm_active_percent),
          csv_number(timing.conditions.memory_bandwidth_percent),
          csv_number(timing.conditions.tensor_active_percent)};
}

}  // namespace

std::string json(const Report& report) {
  nlohmann::json boards = nlohmann::json::array();
  for (const Board& board : report.boards) boards.push_back(json_of(board));
  nlohmann::json overall = nlohmann::json::array();
  for (const Overall& one : report.overall)
    overall.push_back({{"contestant", one.contestant},
                       {"problems", one.problems},
                       {"boards", one.boards},
                       {"wins", json_of(one.wins)}});
  const nlohmann::json result{{"schema", record::schema},
                              {"provenance", record::to_json(report.provenance)},
                              {"boards", std::move(boards)},
                              {"overall", std::move(overall)}};
  return result.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string csv(const Report& report) {
  const std::string device = record::slug(report.provenance.device);
  std::string out;
  out += csv_line(csv_header());
  for (const Board& board : report.boards) {
    for (const Row& row : board.rows) {
      if (row.timings.empty()) out += csv_line(csv_fields(device, board, row, "", {}));
      for (std::size_t i = 0; i < row.timings.size(); ++i)
        out += csv_line(csv_fields(device, board, row, board.workloads[i], row.timings[i]));
    }
  }
  return out;
}

}  // namespace podium::report
