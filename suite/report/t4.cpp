// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Results as auto-tuners exchange them: T4 of https://github.com/odgaard/TuningSchema, as Kernel Tuner has
// it. A configuration is a contestant on a workload, since that is what Podium chooses between.
#include <map>
#include <tuple>

#include "suite/record/fields.hpp"
#include "suite/report/render.hpp"

namespace podium::report {
namespace {

using nlohmann::json;

constexpr const char* t4_version = "1.0.0";

// A word of T4's list for what went wrong.
const char* invalidity_of(const record::RecordedVerdict& verdict) {
  if (verdict == Verdict::right) return "correct";
  if (record::declined(verdict)) return "constraints";
  if (verdict == Verdict::did_not_compile || verdict == Verdict::bad_file) return "compile";
  if (verdict == Verdict::hung) return "timeout";
  for (const Verdict wrong :
       {Verdict::wrong, Verdict::not_written, Verdict::input_changed, Verdict::out_of_bounds})
    if (verdict == wrong) return "correctness";
  return "runtime";
}

// Milliseconds, as Kernel Tuner has them, of all calls of a contestant on a workload.
struct Spent {
  std::vector<double> runtimes;
  double fills = 0, checks = 0;
};

using Key = std::tuple<std::string, std::string, std::string, int, std::string, std::string>;

std::map<Key, Spent> spent_in(const record::Run& run) {
  std::map<Key, Spent> all;
  for (const record::Entry& entry : run.entries) {
    if (entry.round < 0 || entry.twin || entry.verdict != Verdict::right) continue;
    Spent& spent =
        all[{entry.problem, entry.types, entry.stage, entry.series, entry.workload, entry.contestant}];
    for (const double time : entry.microseconds) spent.runtimes.push_back(time * 1e-3);
    for (const double time : entry.fill_microseconds) spent.fills += time * 1e-3;
    for (const double time : entry.check_microseconds) spent.checks += time * 1e-3;
  }
  return all;
}

json measurement(const std::string& name, const std::optional<double>& value, const char* unit) {
  return {{"name", name}, {"value", record::number(value.value())}, {"unit", unit}};
}

json measurements_of(const Timing& timing) {
  json all = json::array();
  const auto add = [&](const std::string& name, const std::optional<double>& value, const char* unit) {
    if (value) all.push_back(measurement(name, value, unit));
  };
  add("time", timing.median.value * 1e-3, "ms");
  add("time_low", timing.median.low * 1e-3, "ms");
  add("time_high", timing.median.high * 1e-3, "ms");
  add("GB/s", timing.gb_per_s, "GB/s");
  add("TFLOP/s", timing.tflop_per_s, "TFLOP/s");
  add("speed_of_light", timing.sol(), "");
  for (const record::Metric* metric : record::metrics())
    add(std::string(metric->key), timing.metrics[*metric],
        metric->unit == record::Unit::microseconds  ? "us"
        : metric->unit == record::Unit::microjoules ? "uJ"
                                                    : "");
  return all;
}

json result_of(const Report& report, const BoardReport& board, const Row& row, const std::string& workload,
               const record::RecordedVerdict& verdict, const Spent& spent) {
  return {{"timestamp", provenance_of(report, board).started},
          {"configuration",
           {{"problem", board.problem},
            {"types", board.types},
            {"stage", board.stage},
            {"workload", workload},
            {"contestant", row.contestant}}},
          {"times", {{"runtimes", spent.runtimes}, {"framework", spent.fills}, {"validation", spent.checks}}},
          {"invalidity", invalidity_of(verdict)},
          {"correctness", verdict == Verdict::right ? 1 : 0},
          {"objectives", {"time"}},
          {"measurements", json::array()}};
}

}  // namespace

// What was verified and not timed has no objective, and is no result.
std::string t4_json(const record::Run& run, const Report& report) {
  const auto spent = spent_in(run);
  json results = json::array();
  for (const BoardReport& board : report.boards)
    for (const Row& row : board.rows) {
      if (row.standing == Standing::failed || row.standing == Standing::declined)
        results.push_back(result_of(report, board, row, "", row.verdict, {}));
      if (row.standing != Standing::ranked && row.standing != Standing::unranked) continue;
      for (std::size_t w = 0; w < row.timings.size(); ++w) {
        const std::string& workload = board.workloads[w];
        const auto found =
            spent.find({board.problem, board.types, board.stage, board.series, workload, row.contestant});
        const Timing& timing = row.timings[w];
        if (timing.rounds == 0) {
          const Verdict why = timing.declined.empty() ? Verdict::not_finished : Verdict::unsupported;
          results.push_back(result_of(report, board, row, workload, why, {}));
          continue;
        }
        json& result = results.emplace_back(result_of(report, board, row, workload, Verdict::right,
                                                      found == spent.end() ? Spent{} : found->second));
        result["measurements"] = measurements_of(timing);
      }
    }
  const json document{{"schema_version", t4_version}, {"results", std::move(results)}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace podium::report
