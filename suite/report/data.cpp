// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boards as JSON and CSV, for programs.
#include <fmt/format.h>

#include <functional>

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

bool has_rank(const Row& row, const BoardReport& board) {
  return row.standing == Standing::ranked && board.rounds >= rank::least_rounds;
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
              {"blocking", row.blocking},
              {"throttled", row.throttled},
              {"judged", row.judged},
              {"wins", json_of(row.wins)},
              {"workloads", std::move(timings)}};
  for (const record::Metric* metric : record::metrics())
    if (metric->aggregation == record::Aggregation::geometric_mean)
      result[std::string(metric->key)] = record::number(row.metrics[*metric]);
  return result;
}

json json_of(const BoardReport& board) {
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

// What one line of CSV is about.
struct Subject {
  const std::string& device;
  const BoardReport& board;
  const Row& row;
  const std::string& workload;
  const Timing& timing;
};

struct Field {
  std::string name;
  std::function<std::string(const Subject&)> text;
};

Field field(const char* name, std::string Row::* member) {
  return {name, [=](const Subject& s) { return s.row.*member; }};
}
Field field(const char* name, std::optional<double> Row::* member) {
  return {name, [=](const Subject& s) { return csv_number(s.row.*member); }};
}
Field field(const char* name, std::optional<double> Timing::* member) {
  return {name, [=](const Subject& s) { return csv_number(s.timing.*member); }};
}
Field field(const char* name, std::optional<double> Conditions::* member) {
  return {name, [=](const Subject& s) { return csv_number(s.timing.conditions.*member); }};
}
Field rank_field(const char* name, int Row::* member) {
  return {name,
          [=](const Subject& s) { return has_rank(s.row, s.board) ? fmt::format("{}", s.row.*member) : ""; }};
}
Field median_field(const char* name, double measure::Median::* member) {
  return {name, [=](const Subject& s) {
            return s.timing.rounds > 0 ? fmt::format("{}", s.timing.median.*member) : "";
          }};
}

// Metrics that are times, or those that are not.
std::vector<Field> metric_fields(bool times) {
  std::vector<Field> fields;
  for (const record::Metric* metric : record::metrics())
    if (times == (metric->unit == record::Unit::microseconds))
      fields.push_back({std::string(metric->key),
                        [=](const Subject& s) { return csv_number(s.timing.metrics[*metric]); }});
  return fields;
}

std::vector<Field> csv_fields() {
  const std::vector<std::vector<Field>> parts{
      {{"device", [](const Subject& s) { return s.device; }},
       {"problem", [](const Subject& s) { return s.board.problem; }},
       {"types", [](const Subject& s) { return s.board.types; }},
       {"stage", [](const Subject& s) { return s.board.stage; }},
       {"workload", [](const Subject& s) { return s.workload; }},
       field("contestant", &Row::contestant),
       field("kind", &Row::kind),
       field("tier", &Row::tier),
       {"standing", [](const Subject& s) { return std::string(name_of(s.row.standing)); }},
       rank_field("rank", &Row::rank),
       rank_field("last", &Row::last),
       field("score", &Row::score),
       field("score_low", &Row::score_low),
       field("score_high", &Row::score_high),
       median_field("median_us", &measure::Median::value),
       median_field("low_us", &measure::Median::low),
       median_field("high_us", &measure::Median::high),
       field("gb_per_s", &Timing::gb_per_s),
       field("tflop_per_s", &Timing::tflop_per_s),
       {"sol", [](const Subject& s) { return csv_number(s.timing.sol()); }},
       field("sol_raw", &Timing::sol_raw)},
      metric_fields(true),
      {{"worst_error", [](const Subject& s) { return fmt::format("{}", s.row.worst); }},
       {"blocking", [](const Subject& s) { return std::string(s.row.blocking ? "1" : "0"); }},
       {"verdict", [](const Subject& s) { return std::string(s.row.verdict.word()); }},
       {"text", [](const Subject& s) { return one_line(s.row.text); }},
       field("clock_mhz", &Conditions::clock_mhz),
       field("temperature_c", &Conditions::temperature_c),
       field("power_w", &Conditions::power_w)},
      metric_fields(false),
      {field("sm_active_percent", &Conditions::sm_active_percent),
       field("memory_bandwidth_percent", &Conditions::memory_bandwidth_percent),
       field("tensor_active_percent", &Conditions::tensor_active_percent)}};
  std::vector<Field> fields;
  for (const auto& part : parts) fields.insert(fields.end(), part.begin(), part.end());
  return fields;
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
  return {{"schema", record::schema},
          {"provenance", record::to_json(report.provenance)},
          {"boards", std::move(boards)},
          {"overall", std::move(overall)}};
}

std::string json_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string csv(const Report& report) {
  const std::string device = record::slug(report.provenance.device);
  const std::vector<Field> fields = csv_fields();
  const auto line = [&](const auto& text_of) {
    std::vector<std::string> texts;
    for (const Field& field : fields) texts.push_back(text_of(field));
    return csv_line(texts);
  };
  std::string out = line([](const Field& field) { return field.name; });
  const auto put = [&](const Subject& subject) {
    out += line([&](const Field& field) { return field.text(subject); });
  };
  for (const BoardReport& board : report.boards) {
    for (const Row& row : board.rows) {
      if (row.timings.empty()) put({device, board, row, "", {}});
      for (std::size_t i = 0; i < row.timings.size(); ++i)
        put({device, board, row, board.workloads[i], row.timings[i]});
    }
  }
  return out;
}

}  // namespace podium::report
