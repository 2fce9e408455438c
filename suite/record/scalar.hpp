// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a single value in run.json or entries.jsonl may be. The JSON Schemas, the documentation and the check
// of what is read are made of the same rows.
#pragma once
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace podium::record {

struct ScalarOf {
  enum class Kind { text, truth, whole, number };
  std::string name;
  Kind kind = Kind::text;
  std::string says;                                         // a phrase: what is expected
  double least = -std::numeric_limits<double>::infinity();  // of a number
  double most = std::numeric_limits<double>::infinity();
  std::vector<std::string> words{};  // of a number: that stand for one; of text: all there are, none: any
  std::string pattern{};  // of text: d a decimal digit, h a hexadecimal one, others themselves; empty: any
};

const std::vector<ScalarOf>& scalars();
const ScalarOf* scalar(std::string_view name);  // nullptr: there is none

bool holds(const ScalarOf& scalar, const nlohmann::json& value);
nlohmann::ordered_json schema_of(const ScalarOf& scalar);

}  // namespace podium::record
