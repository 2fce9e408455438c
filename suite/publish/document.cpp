// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/document.hpp"

#include <algorithm>
#include <set>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/compile/languages/language.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/publish/audit.hpp"
#include "suite/publish/problems.hpp"
#include "suite/publish/sources.hpp"
#include "suite/record/calibration.hpp"
#include "suite/record/metric.hpp"
#include "suite/report/board.hpp"
#include "suite/report/mix.hpp"
#include "suite/report/render.hpp"

namespace podium::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json run_json(const FoundRun& found) {
  const report::Report report = report::report_of(found.run);
  return {{"id", found.id},
          {"device", found.device},
          {"run", found.run.provenance},
          {"report", report::to_json(report)},
          {"emulated", found.provenance.device.emulated},
          {"level", report::level_of(report)},
          {"audit", audit_of(found.run, found.provenance)},
          {"series", series_of(found.run)}};
}

// What is measured beside the time that ranks, in the order of tables.
json metrics_json() {
  json all = json::array();
  for (const record::Metric* metric : record::metrics())
    all.push_back({{"key", metric->key},
                   {"header", metric->header},
                   {"unit", record::symbol_of(metric->unit)},
                   {"importance", metric->importance},
                   {"meaning", metric->meaning},
                   {"closing", metric->closing},
                   {"difference", metric->difference}});
  return all;
}

// What people call the languages of records, by their names there.
json languages_json() {
  json all = json::object();
  for (const compile::Language& language : compile::languages())
    all[language.name] = language.title.empty() ? language.name : language.title;
  return all;
}

json backends_json() {
  json all = json::object();
  for (const Backend& backend : backends())
    all[backend.name] = {{"vendor", backend.vendor}, {"processor", backend.processor}};
  return all;
}

// Of each device that a run is of, as it lies beside the run.
json calibrations_of(const std::vector<FoundRun>& runs, std::vector<std::string>& faults) {
  json all = json::object();
  std::set<fs::path> seen;
  for (const FoundRun& found : runs) {
    const fs::path file = fs::canonical(found.run.folder).parent_path() / "calibration.json";
    if (!fs::exists(file) || !seen.insert(file).second) continue;
    try {
      all[found.device] = record::to_json(record::read_calibration(file));
    } catch (const Error& e) {
      faults.emplace_back(e.what());
    }
  }
  return all;
}

json problems_in(const fs::path& folder, std::vector<std::string>& faults) {
  json all = json::object();
  if (folder.empty()) return all;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path file = entry.path() / "problem.yaml";
    if (!fs::exists(file)) continue;
    try {
      const problem::Problem problem = problem::load(file);
      all[problem.name] = problem_json(problem);
    } catch (const Error& e) {
      faults.emplace_back(e.what());
    }
  }
  std::ranges::sort(faults);
  return all;
}

}  // namespace

Document document_of(const std::vector<FoundRun>& runs, const fs::path& problems) {
  Document document;
  json all = json::array();
  for (const FoundRun& found : runs) all.push_back(run_json(found));
  document.json = {{"podium_site", document_version},
                   {"metrics", metrics_json()},
                   {"languages", languages_json()},
                   {"backends", backends_json()},
                   {"runs", std::move(all)},
                   {"calibrations", calibrations_of(runs, document.faults)},
                   {"problems", problems_in(problems, document.faults)},
                   {"sources", sources_of(runs, problems, document.faults)}};
  return document;
}

void add_comparison(Document& document, json comparison, const std::string& before,
                    const std::string& after) {
  comparison["before_run"] = before;
  comparison["after_run"] = after;
  document.json["comparison"] = std::move(comparison);
}

}  // namespace podium::publish
