// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fields of a JSON object read into typed values; what does not fit is an Error that names the field.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::record {

// A double as JSON: a number, or "inf", "-inf", "nan", which JSON lacks.
nlohmann::json number(double value);
nlohmann::json number(const std::optional<double>& value);  // null where there is none
nlohmann::json numbers(const std::vector<double>& values);
void put(nlohmann::json& json, const measure::Median& median);

class Fields {
 public:
  // `json` must outlive this. Throws podium::Error if it is no object; `what` names it in errors.
  Fields(const nlohmann::json& json, std::string what);

  // Leave `value` as it is where the key is absent. Throw podium::Error for another type.
  void read(const char* key, std::string& value) const;
  void read(const char* key, bool& value) const;
  void read(const char* key, int& value) const;
  void read(const char* key, std::int64_t& value) const;
  void read(const char* key, double& value) const;
  void read(const char* key, std::vector<double>& value) const;
  void read(const char* key, std::vector<std::string>& value) const;
  void need(const char* key) const;  // throws podium::Error if absent

  // Throws podium::Error unless they are of a run.json, or an entry, of a schema that this Podium reads.
  void need_schema() const;

  // The elements of an array of objects; none if absent.
  std::vector<Fields> list(const char* key) const;
  const nlohmann::json* find(const char* key) const;  // nullptr if absent

 private:
  [[noreturn]] void refuse(const char* key, const char* expected) const;
  const nlohmann::json* json_;
  std::string what_;
};

void read(const Fields& fields, measure::Median& median);

}  // namespace podium::record
