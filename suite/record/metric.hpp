// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is measured of a call beside the time that ranks: how each number is described, and values by it. The
// numbers that there are: suite/record/metrics.hpp.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suite/measure/samples.hpp"

namespace podium::record {

// How tables write a number; `plain`: four significant digits, of whatever the header names.
enum class Unit { microseconds, microjoules, plain };
std::string_view symbol_of(Unit unit);  // "µs"; empty: the header has it

// What an entry holds of a metric.
enum class Form {
  samples,  // all of them, and their median
  number,   // one, beside others of the same measurement
};

// How the workloads of a board become one number of a row. Of several rounds it is always the median.
enum class Aggregation { geometric_mean, none };

// What reports say of a row that lacks the number.
enum class Absence {
  untold,
  told_of_each,  // a note for each row, where another row has the number
  told_once,     // a note a board
};

// A measured number. Records, JSON, CSV, tables, notes and Google Benchmark's counters all follow from this.
struct Metric {
  std::string_view key;     // in reports and, of a Form::number, in the record; ends in the unit
  std::string_view record;  // of its measurement, in an entry
  Unit unit = Unit::microseconds;
  Form form = Form::samples;
  Aggregation aggregation = Aggregation::geometric_mean;
  std::string_view header{};   // of the column in tables; empty: none
  int importance = 2;          // of that column: report::Column. Less than all that ranks, more than a title
  std::string_view meaning{};  // what the column shows, for a note behind its header; empty: none
  std::string_view closing{};  // of that note; metrics that share it share the note
  // Says by how much it differs from the time that ranks, in the rows where that is more than a little.
  // Empty: does not.
  std::string_view difference{};
  Absence absence = Absence::untold;
  std::string_view noun{};       // "... has no time in a graph"
  bool by_judges_clock = false;  // holds also where the worker's times do not
};

std::span<const Metric* const> metrics();  // in the order of tables

// What was measured in one go.
struct Measurement {
  std::vector<double> samples{};  // of a Form::samples
  measure::Median median{};       // of these
  nlohmann::json numbers{};       // by key, null if there are none: each Form::number, and how it came about
  std::string text{};             // why nothing was measured, if there is a reason

  bool empty() const { return samples.empty() && numbers.is_null() && text.empty(); }
};

// Of an entry, by metric; metrics of one measurement share it.
class Measurements {
 public:
  Measurement& operator[](const Metric& metric) { return values_[metric.record]; }
  const Measurement& operator[](const Metric& metric) const;
  // Nothing: not measured, or not finite, or no number whose mean could be taken.
  std::optional<double> value(const Metric& metric) const;

 private:
  std::map<std::string_view, Measurement> values_;  // keys live as long as the program
};

// A value for each metric.
template <class Value>
class ByMetric {
 public:
  Value& operator[](const Metric& metric) { return values_[metric.key]; }
  const Value& operator[](const Metric& metric) const {
    static const Value none{};
    const auto found = values_.find(metric.key);
    return found == values_.end() ? none : found->second;
  }

 private:
  std::map<std::string_view, Value> values_;  // as above
};

// Of an entry as JSON. read() throws podium::Error naming the field.
void put(nlohmann::json& entry, const Measurements& measurements);
void read(const nlohmann::json& entry, Measurements& measurements);

}  // namespace podium::record
