// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All boards as one long table with typed columns: one line a row and workload, one for a row without times.
// CSV and Parquet both are this table; docs/exports.md lists its columns.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "suite/report/board.hpp"

namespace podium::report {

using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;  // monostate: no value

struct LongTable {
  struct Column {
    std::string name;
    std::string type;     // "bool", "int64", "double", "string"
    std::string meaning;  // one phrase
  };
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> lines;
};

LongTable long_table(const Report& report);

std::string csv(const LongTable& table);  // a first line with the columns' names
// {"columns": [{"name", "type", "meaning", "values"}]}; what is not finite is "inf", "-inf" or "nan".
nlohmann::json to_json(const LongTable& table);

}  // namespace podium::report
