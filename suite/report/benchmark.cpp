// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/benchmark.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <unordered_map>

#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"
#include "suite/report/render.hpp"

namespace podium::report {
namespace {

using nlohmann::json;

// What Google Benchmark writes of every repetition and of every aggregate of these.
json line_of(const BenchmarkRow& row, std::size_t family, double microseconds) {
  json line{{"run_name", row.name},
            {"family_index", family},
            {"per_family_instance_index", 0},
            {"threads", 1},
            {"repetitions", row.medians_us.size()},
            {"real_time", microseconds},
            {"cpu_time", microseconds},
            {"time_unit", "us"}};
  if (row.bytes > 0) line["bytes_per_second"] = row.bytes / microseconds * 1e6;
  if (row.flops > 0) line["flops"] = row.flops / microseconds * 1e6;
  return line;
}

void add_repetitions(json& benchmarks, const BenchmarkRow& row, std::size_t family) {
  for (std::size_t round = 0; round < row.medians_us.size(); ++round) {
    json line = line_of(row, family, row.medians_us[round]);
    line.update(
        {{"name", row.name}, {"run_type", "iteration"}, {"repetition_index", round}, {"iterations", 1}});
    for (const record::Metric* metric : record::metrics())
      if (const auto& values = row.metrics[*metric]; !values.empty())
        line[std::string(metric->key)] = record::number(measure::median(values).value);
    benchmarks.push_back(std::move(line));
  }
}

void add_aggregates(json& benchmarks, const BenchmarkRow& row, std::size_t family) {
  const auto& medians = row.medians_us;
  if (medians.size() < 2) return;
  const auto count = static_cast<double>(medians.size());
  const double mean = std::accumulate(medians.begin(), medians.end(), 0.0) / count;
  double squares = 0;
  for (const double time : medians) squares += (time - mean) * (time - mean);
  const double deviation = std::sqrt(squares / (count - 1));
  const auto add = [&](const char* name, const char* unit, double value) {
    json line = line_of(row, family, value);
    if (std::string_view(name) == "stddev" || std::string_view(name) == "cv")
      for (const char* rate : {"bytes_per_second", "flops"}) line.erase(rate);
    line.update({{"name", fmt::format("{}_{}", row.name, name)},
                 {"run_type", "aggregate"},
                 {"aggregate_name", name},
                 {"aggregate_unit", unit},
                 {"iterations", medians.size()}});
    benchmarks.push_back(std::move(line));
  };
  add("mean", "time", mean);
  add("median", "time", measure::median(medians).value);
  add("stddev", "time", deviation);
  add("cv", "percentage", deviation / mean);
}

void add_error(json& benchmarks, const BenchmarkRow& row, std::size_t family) {
  benchmarks.push_back({{"name", row.name},
                        {"run_name", row.name},
                        {"family_index", family},
                        {"per_family_instance_index", 0},
                        {"run_type", "iteration"},
                        {"repetitions", 1},
                        {"repetition_index", 0},
                        {"threads", 1},
                        {"iterations", 0},
                        {"real_time", 0.0},
                        {"cpu_time", 0.0},
                        {"time_unit", "us"},
                        {"error_occurred", true},
                        {"error_message", row.error}});
}

}  // namespace

std::vector<BenchmarkRow> benchmark_rows(const std::vector<record::Entry>& entries) {
  std::vector<BenchmarkRow> all;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& entry : entries) {
    if (entry.round < 0 || entry.workload.empty()) continue;
    const std::string name = fmt::format("{}/{}/{}/{}{}{}", entry.problem, entry.types, entry.workload,
                                         entry.contestant, entry.twin ? "+twin" : "",
                                         entry.series > 0 ? fmt::format("+series{}", entry.series) : "");
    const auto [place, fresh] = places.try_emplace(name, all.size());
    if (fresh) all.push_back({.name = name, .bytes = entry.bytes, .flops = entry.flops});
    BenchmarkRow& row = all[place->second];
    for (const record::Metric* metric : record::metrics())
      if (const auto value = entry.measured.value(*metric)) row.metrics[*metric].push_back(*value);
    if (entry.verdict == Verdict::right)
      row.medians_us.push_back(entry.median.value);
    else
      row.error = fmt::format("{}: {}", entry.verdict.word(), entry.text);
  }
  return all;
}

std::string benchmark_json(const record::Run& run, const Report& report) {
  const record::Provenance& p = report.provenance;
  json benchmarks = json::array();
  std::size_t family = 0;
  for (const BenchmarkRow& row : benchmark_rows(run.entries)) {
    if (row.error.empty()) {
      add_repetitions(benchmarks, row, family);
      add_aggregates(benchmarks, row, family);
    } else {
      add_error(benchmarks, row, family);
    }
    ++family;
  }
  const json result{{"context",
                     {{"date", p.started},
                      {"host_name", record::slug(p.device)},
                      {"executable", p.command},
                      {"num_cpus", p.multiprocessors},
                      {"mhz_per_cpu", 0},
                      {"cpu_scaling_enabled", false},
                      {"caches", json::array()},
                      {"load_avg", json::array()},
                      {"library_build_type", "release"},
                      {"podium", p.podium},
                      {"podium_commit", p.commit}}},
                    {"benchmarks", std::move(benchmarks)}};
  return result.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace podium::report
