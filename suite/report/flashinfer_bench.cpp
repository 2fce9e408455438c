// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/report/flashinfer_bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"

namespace podium::report {
namespace {

using nlohmann::json;

constexpr const char* imported = "support/flashinfer_bench.json";  // in a problem's folder, by the importer

// Of an imported problem: its definition, and the workloads and solutions of the source by Podium's names.
struct Known {
  std::string definition, op_type;
  json workloads, solutions;
};

Known known_of(const std::filesystem::path& file) {
  try {
    const json read = json::parse(whole_text_of(file));
    return {.definition = read.at("definition"),
            .op_type = read.at("op_type"),
            .workloads = read.at("workloads"),
            .solutions = read.at("solutions")};
  } catch (const json::exception& fault) {
    throw Error(fmt::format("{}: {}; repeat the import", file.string(), fault.what()));
  }
}

const char* status_of(const record::RecordedVerdict& verdict) {
  if (verdict == Verdict::right) return "PASSED";
  if (verdict == Verdict::did_not_compile || verdict == Verdict::bad_file) return "COMPILE_ERROR";
  if (verdict == Verdict::hung) return "TIMEOUT";
  for (const Verdict wrong :
       {Verdict::wrong, Verdict::not_written, Verdict::input_changed, Verdict::out_of_bounds})
    if (verdict == wrong) return "INCORRECT_NUMERICAL";
  return "RUNTIME_ERROR";
}

// Podium's reference says whether an answer is right, and not by how much; FlashInfer-Bench has NaN for what
// is not known.
json correctness_of(const Row& row) {
  json correctness{{"max_relative_error", "NaN"}, {"max_absolute_error", "NaN"}};
  if (row.worst > 0) correctness["extra"] = {{"largest_error_over_limit", row.worst}};
  return correctness;
}

json environment_of(const record::Provenance& provenance, const Row& row) {
  json libraries{{"podium", provenance.podium}, {"driver", provenance.driver}};
  for (const record::ContestantRecord& one : provenance.contestants)
    if (one.name == row.contestant && !one.runtime.empty()) libraries["python"] = one.runtime;
  return {{"hardware", provenance.device.product}, {"libs", std::move(libraries)}};
}

// Milliseconds of the baseline on a workload, which is the definition's reference; 0: not timed.
double reference_of(const BoardReport& board, std::size_t workload) {
  const auto found = std::ranges::find_if(board.rows, &Row::baseline);
  if (found == board.rows.end() || workload >= found->timings.size()) return 0;
  const Timing& timing = found->timings[workload];
  return timing.rounds == 0 ? 0 : timing.median.value * 1e-3;
}

json performance_of(const Timing& timing, double reference) {
  const double latency = timing.median.value * 1e-3;
  return {{"latency_ms", latency},
          {"reference_latency_ms", reference},
          {"speedup_factor", latency > 0 ? reference / latency : 0}};
}

// Of a contestant on a workload; null: it was not run there.
json evaluation_of(const Report& report, const BoardReport& board, const Row& row, std::size_t workload) {
  const record::Provenance& provenance = provenance_of(report, board);
  json evaluation{
      {"environment", environment_of(provenance, row)}, {"timestamp", provenance.started}, {"log", row.text}};
  if (row.standing == Standing::failed) {
    evaluation["status"] = status_of(row.verdict);
    if (evaluation["status"] == "INCORRECT_NUMERICAL") evaluation["correctness"] = correctness_of(row);
    return evaluation;
  }
  if (workload >= row.timings.size() || row.timings[workload].rounds == 0) return nullptr;
  evaluation["status"] = "PASSED";
  evaluation["correctness"] = correctness_of(row);
  evaluation["performance"] = performance_of(row.timings[workload], reference_of(board, workload));
  return evaluation;
}

}  // namespace

Traces flashinfer_bench_traces(const Report& report, const std::filesystem::path& problems) {
  Traces traces;
  for (const BoardReport& board : report.boards) {
    const auto file = problems / board.problem / imported;
    if (!std::filesystem::is_regular_file(file)) {
      traces.left_out.push_back(
          fmt::format("{}: is no import of FlashInfer-Bench: found no {}", board.problem, file.string()));
      continue;
    }
    const Known known = known_of(file);
    std::string& lines =
        traces.files[std::filesystem::path("traces") / known.op_type / (known.definition + ".jsonl")];
    for (std::size_t w = 0; w < board.workloads.size(); ++w) {
      const auto workload = known.workloads.find(board.workloads[w]);
      if (workload == known.workloads.end()) {
        traces.left_out.push_back(fmt::format("{}: workload {} is Podium's own, not of FlashInfer-Bench",
                                              board.problem, board.workloads[w]));
        continue;
      }
      for (const Row& row : board.rows) {
        json evaluation = evaluation_of(report, board, row, w);
        if (evaluation.is_null()) continue;
        const auto solution = known.solutions.find(row.contestant);
        const bool named = solution != known.solutions.end() && solution->is_string();
        const json trace{{"definition", known.definition},
                         {"workload", *workload},
                         {"solution", named ? *solution : json("podium_" + row.contestant)},
                         {"evaluation", std::move(evaluation)}};
        lines += trace.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
        ++traces.count;
      }
    }
  }
  std::erase_if(traces.files, [](const auto& one) { return one.second.empty(); });
  return traces;
}

}  // namespace podium::report
