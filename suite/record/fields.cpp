// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fields of a JSON object read into typed values; what does not fit is an Error that names the field.
#include "suite/record/fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"
#include "suite/record/validator.hpp"

namespace podium::record {
namespace {

std::optional<double> number_in(const nlohmann::json& json) {
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return std::numeric_limits<double>::infinity();
  if (json == "-inf") return -std::numeric_limits<double>::infinity();
  if (json == "nan") return std::numeric_limits<double>::quiet_NaN();
  return std::nullopt;
}

}  // namespace

nlohmann::json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

nlohmann::json number(const std::optional<double>& value) { return value ? number(*value) : nullptr; }

nlohmann::json numbers(const std::vector<double>& values) {
  auto list = nlohmann::json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

void put(nlohmann::json& json, const measure::Median& median) {
  json["median"] = number(median.value);
  json["low"] = number(median.low);
  json["high"] = number(median.high);
}

Fields::Fields(const nlohmann::json& json, std::string what) : json_(&json), what_(std::move(what)) {
  if (!json.is_object())
    throw Error(fmt::format("{}: found {}, expected an object; {}", what_, json.type_name(),
                            what_to_do_about_damage));
}

const nlohmann::json* Fields::find(const char* key) const {
  const auto found = json_->find(key);
  return found == json_->end() ? nullptr : &*found;
}

void Fields::need(const char* key) const {
  if (!find(key))
    throw Error(fmt::format("{}: field '{}' is missing; {}", what_, key, what_to_do_about_damage));
}

void Fields::need_schema() const {
  need("schema");
  int version = 0;
  read("schema", version);
  if (version < oldest_schema || version > schema)
    throw Error(fmt::format("{}: schema {}, expected {} to {}; read it with the Podium that wrote it", what_,
                            version, oldest_schema, schema));
}

void Fields::refuse(const char* key, const char* expected) const {
  throw Error(fmt::format("{}: field '{}' is {}, expected {}; {}", what_, key, find(key)->type_name(),
                          expected, what_to_do_about_damage));
}

void Fields::read(const char* key, std::string& value) const {
  const auto* json = find(key);
  if (!json) return;
  if (!json->is_string()) refuse(key, "a string");
  value = json->get<std::string>();
}

void Fields::read(const char* key, bool& value) const {
  const auto* json = find(key);
  if (!json) return;
  if (!json->is_boolean()) refuse(key, "true or false");
  value = json->get<bool>();
}

void Fields::read(const char* key, std::int64_t& value) const {
  const auto* json = find(key);
  if (!json) return;
  if (!json->is_number_integer()) refuse(key, "a whole number");
  if (json->is_number_unsigned() && json->get<std::uint64_t>() > std::uint64_t{INT64_MAX})
    refuse(key, "less than 2^63");
  value = json->get<std::int64_t>();
}

void Fields::read(const char* key, int& value) const {
  std::int64_t wide = value;
  read(key, wide);
  if (!std::in_range<int>(wide)) refuse(key, "a whole number of 32 bits");
  value = static_cast<int>(wide);
}

void Fields::read(const char* key, double& value) const {
  const auto* json = find(key);
  if (!json) return;
  const auto read = number_in(*json);
  if (!read) refuse(key, "a number");
  value = *read;
}

void Fields::read(const char* key, std::vector<double>& value) const {
  const auto* json = find(key);
  if (!json) return;
  if (!json->is_array()) refuse(key, "a list of numbers");
  std::vector<double> list;
  for (const auto& element : *json) {
    const auto read = number_in(element);
    if (!read) refuse(key, "a list of numbers");
    list.push_back(*read);
  }
  value = std::move(list);
}

void Fields::read(const char* key, std::vector<std::string>& value) const {
  const auto* json = find(key);
  if (!json) return;
  if (!json->is_array()) refuse(key, "a list of strings");
  std::vector<std::string> list;
  for (const auto& element : *json) {
    if (!element.is_string()) refuse(key, "a list of strings");
    list.push_back(element.get<std::string>());
  }
  value = std::move(list);
}

std::vector<Fields> Fields::list(const char* key) const {
  const auto* json = find(key);
  if (!json) return {};
  if (!json->is_array()) refuse(key, "a list");
  std::vector<Fields> result;
  for (std::size_t i = 0; i < json->size(); ++i)
    result.emplace_back((*json)[i], fmt::format("{}: {}[{}]", what_, key, i));
  return result;
}

void read(const Fields& fields, measure::Median& median) {
  fields.read("median", median.value);
  fields.read("low", median.low);
  fields.read("high", median.high);
}

}  // namespace podium::record
