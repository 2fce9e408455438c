// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/metric.hpp"

#include <fmt/format.h>

#include <cmath>

#include "suite/record/fields.hpp"

namespace podium::record {
namespace {

// The samples' key in a record.
const char* key_of(Unit unit) {
  switch (unit) {
    case Unit::microseconds:
      return "microseconds";
    case Unit::microjoules:
      return "microjoules";
    case Unit::plain:
      break;
  }
  return "samples";
}

void put_one(nlohmann::json& json, const Measurement& measured, const Metric& metric) {
  if (measured.samples.empty() && measured.numbers.is_null()) {
    json["text"] = measured.text;
  } else if (metric.form == Form::number) {
    json = measured.numbers;
  } else {
    json[key_of(metric.unit)] = numbers(measured.samples);
    put(json, measured.median);
  }
}

void read_one(const nlohmann::json& json, const Metric& metric, Measurement& measured) {
  const Fields fields(json, fmt::format("entry: {}", metric.record));
  fields.read("text", measured.text);
  if (metric.form == Form::samples) {
    fields.read(key_of(metric.unit), measured.samples);
    read(fields, measured.median);
    return;
  }
  double number = 0;
  fields.read(std::string(metric.key).c_str(), number);
  measured.numbers = json;
  measured.numbers.erase("text");
  if (measured.numbers.empty()) measured.numbers = nullptr;
}

}  // namespace

std::string_view symbol_of(Unit unit) {
  switch (unit) {
    case Unit::microseconds:
      return "µs";
    case Unit::microjoules:
      return "µJ";
    case Unit::plain:
      break;
  }
  return "";
}

const Measurement& Measurements::operator[](const Metric& metric) const {
  static const Measurement none;
  const auto found = values_.find(metric.record);
  return found == values_.end() ? none : found->second;
}

std::optional<double> Measurements::value(const Metric& metric) const {
  const Measurement& measured = (*this)[metric];
  double value = 0;
  if (metric.form == Form::samples) {
    if (measured.samples.empty()) return std::nullopt;
    value = measured.median.value;
  } else {
    if (!measured.numbers.contains(metric.key)) return std::nullopt;
    Fields(measured.numbers, std::string(metric.record)).read(std::string(metric.key).c_str(), value);
  }
  const bool has_mean = metric.aggregation == Aggregation::none || value > 0;
  return std::isfinite(value) && has_mean ? std::optional(value) : std::nullopt;
}

void put(nlohmann::json& entry, const Measurements& measurements) {
  for (const Metric* metric : metrics())
    if (const Measurement& measured = measurements[*metric]; !measured.empty())
      put_one(entry[std::string(metric->record)], measured, *metric);
}

void read(const nlohmann::json& entry, Measurements& measurements) {
  for (const Metric* metric : metrics())
    if (const auto found = entry.find(metric->record); found != entry.end())
      read_one(*found, *metric, measurements[*metric]);
}

}  // namespace podium::record
