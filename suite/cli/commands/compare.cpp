// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium compare`: finds two runs, by folder or by the commit they measured, and says what changed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cli/pages.hpp"
#include "suite/cli/places.hpp"
#include "suite/publish/runs.hpp"
#include "suite/report/comparison.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

struct Request {
  std::string before, after;          // a run's folder, or the beginning of a commit that was run
  std::filesystem::path results;      // where commits are looked for; empty: the default
  double margin = 1;                  // percent below which a change does not count
  std::vector<std::string> problems;  // only these; empty: all
  bool all = false;                   // rows that are the same, too
  fs::path to;                        // pages of both runs; empty: none
  std::string format = "table";       // table, md, summary, json, csv
};

// The newest run of each device whose commit begins so.
using Found = std::map<std::string, fs::path>;

std::string commit_in(const fs::path& folder) {
  try {
    return record::provenance_from(record::read_provenance(folder)).commit;
  } catch (const Error&) {
    return "";  // no run, or none of this schema: some other folder
  }
}

Found runs_of(const std::string& commit, const fs::path& results) {
  constexpr std::size_t shortest = 4;
  Found found;
  if (commit.size() < shortest || !fs::is_directory(results)) return found;
  for (const auto& device : fs::directory_iterator(results)) {
    if (!device.is_directory()) continue;
    for (const auto& run : fs::directory_iterator(device)) {
      if (!run.is_directory() || !commit_in(run.path()).starts_with(commit)) continue;
      fs::path& newest = found[device.path().filename().string()];  // their names begin with their time
      if (newest.empty() || newest.filename() < run.path().filename()) newest = run.path();
    }
  }
  return found;
}

// `other`: what the other name was found as; decides where runs of several devices are of one commit.
fs::path choose(const std::string& name, const Found& found, const Found& other, const fs::path& results) {
  if (found.empty())
    throw Error(
        fmt::format("compare: found {}, expected a run's folder (results/<device>/<run>) or the commit, four "
                    "digits or more, of a run in {}; `podium run` records runs",
                    name, results.string()));
  std::vector<std::string> both;
  for (const auto& [device, run] : found)
    if (other.contains(device)) both.push_back(device);
  if (both.size() == 1) return found.at(both[0]);
  if (found.size() == 1) return found.begin()->second;
  throw Error(fmt::format("compare: {} was run on {} and other devices; name the run's folder, as in {}",
                          name, found.begin()->first, found.begin()->second.string()));
}

void make_comparison_pages(const report::Comparison& comparison, const publish::FoundRun& before,
                           const publish::FoundRun& after, const fs::path& to) {
  for (const auto* found : {&before, &after})
    if (found->run.entries.empty())
      throw Error(
          fmt::format("{}: has nothing to make pages of; leave --to out", found->run.folder.string()));
  std::vector<publish::FoundRun> runs{before};
  if (after.id != before.id) runs.push_back(after);
  publish::sort_by_start(runs);
  publish::Document document = document_to_show(runs, {});
  publish::add_comparison(document, nlohmann::json::parse(report::render(comparison, "json", true)),
                          before.id, after.id);
  make_pages(document, to);
}

// Exit::contestant if anything is slower, fails or is gone.
Exit compare(const Request& request) {
  const fs::path results = request.results.empty() ? results_folder() : request.results;
  const auto find = [&](const std::string& name) -> Found {
    if (fs::is_directory(name))
      return {{fs::canonical(name).parent_path().filename().string(), fs::path(name)}};
    return runs_of(name, results);
  };
  const Found before = find(request.before), after = find(request.after);
  const auto first = publish::read_run(choose(request.before, before, after, results));
  const auto second = publish::read_run(choose(request.after, after, before, results));
  const report::Comparison comparison =
      report::compare(first.run, second.run, request.margin / 100, request.problems);
  if (!request.to.empty()) make_comparison_pages(comparison, first, second, request.to);
  fmt::print("{}", report::render(comparison, request.format, request.all));
  const bool worse = comparison.count(report::Change::slower) + comparison.count(report::Change::fails) +
                         comparison.count(report::Change::gone) >
                     0;
  return worse ? Exit::contestant : Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  constexpr const char* what = "A run's folder, results/<device>/<run>, or the commit that it measured";
  app.add_option("before", request->before, what)->required();
  app.add_option("after", request->after, what)->required();
  app.add_option("--margin", request->margin, "Margin in percent; smaller changes do not count (1)")
      ->check(CLI::Range(0.0, 1000.0));
  app.add_option("--problem", request->problems, "Only this problem; repeat it for more")
      ->allow_extra_args(false);
  app.add_flag("--all", request->all, "Also show rows without a change");
  app.add_option("--results", request->results, "Folder of results in which to find commits");
  app.add_option("--to", request->to,
                 "Also make pages of both runs in this folder; comparison.html shows what changed");
  app.add_option("--format", request->format,
                 "Format of the output: table, md, summary (Markdown for a pull request), json or csv")
      ->check(CLI::IsMember({"table", "md", "summary", "json", "csv"}));
  app.footer(
      "The exit status is 1 if anything is slower, fails or is gone. It is 2 if the runs do not compare: two "
      "devices, two levels of verification, two revisions of a problem, or no board in common. "
      "A run records the commit of Podium's checkout.");
  return [request] { return compare(*request); };
}

const Registered registered({.name = "compare",
                             .summary = "Compare two runs: what became faster or slower",
                             .place = 120,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
