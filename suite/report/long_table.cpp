// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/long_table.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "suite/record/fields.hpp"
#include "suite/report/format.hpp"

namespace podium::report {
namespace {

// What one line is about.
struct Subject {
  const std::string& device;
  const BoardReport& board;
  const Row& row;
  const std::string& workload;
  const Timing& timing;
};

struct Field {
  LongTable::Column column;
  std::function<Cell(const Subject&)> cell;
};

Cell cell_of(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

Field text(const char* name, const char* meaning, std::function<std::string(const Subject&)> value) {
  return {{name, "string", meaning}, [value = std::move(value)](const Subject& s) { return Cell(value(s)); }};
}
Field text(const char* name, const char* meaning, std::string Row::* member) {
  return text(name, meaning, [=](const Subject& s) { return s.row.*member; });
}
Field number(const char* name, const char* meaning, std::function<Cell(const Subject&)> value) {
  return {{name, "double", meaning}, std::move(value)};
}
Field number(const char* name, const char* meaning, std::optional<double> Row::* member) {
  return number(name, meaning, [=](const Subject& s) { return cell_of(s.row.*member); });
}
Field number(const char* name, const char* meaning, std::optional<double> Timing::* member) {
  return number(name, meaning, [=](const Subject& s) { return cell_of(s.timing.*member); });
}
Field number(const char* name, const char* meaning, std::optional<double> Conditions::* member) {
  return number(name, meaning, [=](const Subject& s) { return cell_of(s.timing.conditions.*member); });
}
Field rank(const char* name, const char* meaning, int Row::* member) {
  return {{name, "int64", meaning}, [=](const Subject& s) {
            return has_rank(s.row, s.board) ? Cell(std::int64_t{s.row.*member}) : Cell();
          }};
}
Field median(const char* name, const char* meaning, double measure::Median::* member) {
  return number(name, meaning, [=](const Subject& s) {
    return s.timing.rounds > 0 ? Cell(s.timing.median.*member) : Cell();
  });
}

// Metrics that are times, or those that are not.
std::vector<Field> metrics(bool times) {
  std::vector<Field> fields;
  for (const record::Metric* metric : record::metrics()) {
    if (times != (metric->unit == record::Unit::microseconds)) continue;
    const std::string_view meaning =
        metric->meaning.empty() ? "as docs/measuring.md explains it" : metric->meaning;
    fields.push_back({{std::string(metric->key), "double", std::string(meaning)},
                      [=](const Subject& s) { return cell_of(s.timing.metrics[*metric]); }});
  }
  return fields;
}

std::vector<Field> all_fields() {
  const std::vector<std::vector<Field>> parts{
      {text("device", "folder of the device's key", [](const Subject& s) { return s.device; }),
       text("problem", "its name", [](const Subject& s) { return s.board.problem; }),
       text("types", "choice of types", [](const Subject& s) { return s.board.types; }),
       text("stage", "test, quick or bench", [](const Subject& s) { return s.board.stage; }),
       text("workload", "its name; empty of a row without times",
            [](const Subject& s) { return s.workload; }),
       text("contestant", "its name", &Row::contestant),
       text("kind", "language of its source", &Row::kind),
       text("tier", "whether it has code for the host", &Row::tier),
       text("standing", "ranked, unranked, emulated, verified, failed or declined",
            [](const Subject& s) { return std::string(name_of(s.row.standing)); }),
       rank("rank", "first of its span of ranks", &Row::rank),
       rank("last", "last of its span of ranks", &Row::last),
       number("score", "speed-up over the baseline, geometric mean over workloads", &Row::score),
       number("score_low", "95 % interval of the score", &Row::score_low),
       number("score_high", "95 % interval of the score", &Row::score_high),
       median("median_us", "median of the rounds' medians, microseconds", &measure::Median::value),
       median("low_us", "95 % interval of the median", &measure::Median::low),
       median("high_us", "95 % interval of the median", &measure::Median::high),
       number("gb_per_s", "stated bytes over the median", &Timing::gb_per_s),
       number("tflop_per_s", "stated operations over the median", &Timing::tflop_per_s),
       number("sol", "share of the speed of light, at most 1",
              [](const Subject& s) { return cell_of(s.timing.sol()); }),
       number("sol_raw", "the same, above 1 where faster than calibrated", &Timing::sol_raw)},
      metrics(true),
      {number("worst_error", "largest error over its limit",
              [](const Subject& s) { return Cell(s.row.worst); }),
       {{"blocking", "bool", "the time includes launch latency"},
        [](const Subject& s) { return Cell(s.row.blocking); }},
       text("verdict", "what failed, or why it is declined or unranked",
            [](const Subject& s) { return std::string(s.row.verdict.word()); }),
       text("text", "evidence or explanation", [](const Subject& s) { return one_line(s.row.text); }),
       number("clock_mhz", "median of the device's clock", &Conditions::clock_mhz),
       number("temperature_c", "median of the device's temperature", &Conditions::temperature_c),
       number("power_w", "median of the device's power", &Conditions::power_w)},
      metrics(false),
      {number("sm_active_percent", "multiprocessors in use", &Conditions::sm_active_percent),
       number("memory_bandwidth_percent", "memory's bandwidth in use", &Conditions::memory_bandwidth_percent),
       number("tensor_active_percent", "matrix units in use", &Conditions::tensor_active_percent),
       text("title", "the contestant's title", &Row::title),
       text("author", "its author", &Row::author),
       text("run", "in a report of several runs, the name of its folder",
            [](const Subject& s) { return s.board.run; }),
       {{"series", "int64", "series of rounds of the run"},
        [](const Subject& s) { return Cell(std::int64_t{s.board.series}); }},
       number("within_device_percent", "deviation of a round's time within a device", &Row::within_device),
       number("between_devices_percent", "deviation between devices of the type", &Row::between_devices)}};
  std::vector<Field> fields;
  for (const auto& part : parts) fields.insert(fields.end(), part.begin(), part.end());
  return fields;
}

struct CsvText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "1" : "0"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return fmt::format("{}", value); }
  std::string operator()(const std::string& value) const { return value; }
};

struct JsonValue {
  nlohmann::json operator()(std::monostate) const { return nullptr; }
  nlohmann::json operator()(double value) const { return record::number(value); }
  template <class Value>
  nlohmann::json operator()(const Value& value) const {
    return value;
  }
};

}  // namespace

LongTable long_table(const Report& report) {
  const std::string device = record::slug(report.provenance.device), no_workload;
  const std::vector<Field> fields = all_fields();
  LongTable table;
  for (const Field& field : fields) table.columns.push_back(field.column);
  const auto put = [&](const Subject& subject) {
    auto& line = table.lines.emplace_back();
    for (const Field& field : fields) line.push_back(field.cell(subject));
  };
  for (const BoardReport& board : report.boards) {
    for (const Row& row : board.rows) {
      if (row.timings.empty()) put({device, board, row, no_workload, {}});
      for (std::size_t i = 0; i < row.timings.size(); ++i)
        put({device, board, row, board.workloads[i], row.timings[i]});
    }
  }
  return table;
}

std::string csv(const LongTable& table) {
  std::vector<std::string> texts;
  for (const auto& column : table.columns) texts.push_back(column.name);
  std::string out = csv_line(texts);
  for (const auto& line : table.lines) {
    texts.clear();
    for (const Cell& cell : line) texts.push_back(std::visit(CsvText{}, cell));
    out += csv_line(texts);
  }
  return out;
}

nlohmann::json to_json(const LongTable& table) {
  nlohmann::json columns = nlohmann::json::array();
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    nlohmann::json values = nlohmann::json::array();
    for (const auto& line : table.lines) values.push_back(std::visit(JsonValue{}, line[c]));
    const auto& column = table.columns[c];
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"meaning", column.meaning},
                       {"values", std::move(values)}});
  }
  return {{"columns", std::move(columns)}};
}

}  // namespace podium::report
