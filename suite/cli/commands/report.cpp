// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium report`: the tables of finished runs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "suite/base/file_text.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/pages.hpp"
#include "suite/cli/python.hpp"
#include "suite/publish/runs.hpp"
#include "suite/record/record.hpp"
#include "suite/report/long_table.hpp"
#include "suite/report/mix.hpp"
#include "suite/report/render.hpp"
#include "suite/sandbox/scratch.hpp"

namespace podium::cli {
namespace {

constexpr const char* parquet = "parquet";

struct Request {
  std::vector<std::filesystem::path> runs;
  std::string format;  // empty: a table for the terminal, md, json and csv for a folder
  std::filesystem::path out;
  bool publish = false;  // writes the run's tables as README.md beside its folder, results/<device>/README.md
};

std::string parquet_of(const report::Report& report) {
  const sandbox::ScratchFolder scratch(geteuid());
  const auto table = scratch.path() / "table.json", file = scratch.path() / "report.parquet";
  record::write_file(table, report::to_json(report::long_table(report)).dump());
  run_module("podium_table", {table.string(), "--to", file.string()}, "no Parquet was written");
  return text_of(file);
}

std::string text_of(const report::Mix& mix, const std::string& format) {
  return format == parquet ? parquet_of(mix.report) : report::render(mix.run, mix.report, format);
}

std::string file_of(const std::string& format) {
  if (format == parquet) return "report.parquet";
  return std::ranges::find(report::formats(), format, &report::Format::name)->file;
}

void put(const report::Mix& mix, const Request& request) {
  if (!request.out.empty() && request.format.empty()) return report::write(mix.run, mix.report, request.out);
  const std::string format = request.format.empty() ? "table" : request.format;
  const std::string text = text_of(mix, format);
  if (request.out.empty()) {
    if (format == parquet && isatty(STDOUT_FILENO))
      throw Error(
          "--format parquet: is not for a terminal; give --out FOLDER, or redirect the output to a file");
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      throw Error(fmt::format("standard output: cannot be written: {}", std::strerror(errno)));
    return;
  }
  if (file_of(format).empty())
    throw Error(fmt::format("--format {}: is for the terminal; expected another format with --out", format));
  std::filesystem::create_directories(request.out);
  record::write_file(request.out / file_of(format), text);
}

// Whether reports can follow one another: text for people can, a file for a program holds one.
bool holds_several(const Request& request) {
  return request.out.empty() && !request.publish &&
         (request.format.empty() || request.format == "table" || request.format == "md");
}

// "nvidia-h200-sm_90-140g, bench workloads": what each report is of.
std::vector<std::string> groups_of(const report::Mixture& mixture) {
  std::vector<std::string> groups;
  for (const report::Mix& mix : mixture.reports)
    groups.push_back(fmt::format("{}, {}", record::slug(mix.report.provenance.device),
                                 report::level_of(mix.report.provenance)));
  return groups;
}

Exit report(const Request& request) {
  const bool all_named = std::ranges::all_of(request.runs, publish::is_run);
  std::vector<record::Run> read;
  std::vector<report::MixedRun> runs;
  if (all_named) {
    std::set<std::filesystem::path> known;
    for (const auto& folder : request.runs)
      if (known.insert(std::filesystem::canonical(folder)).second)
        read.push_back(publish::read_run(folder).run);
  } else {
    auto found = runs_below(request.runs);
    for (auto& one : found.runs) read.push_back(std::move(one.run));
  }
  for (const record::Run& run : read)
    runs.push_back({.name = std::filesystem::canonical(run.folder).filename().string(),
                    .run = &run,
                    .named = all_named});
  const report::Mixture mixture = report::mix(runs);
  if (mixture.reports.size() > 1 && !holds_several(request))
    throw Error(fmt::format(
        "these runs are of {} devices or levels of verification ({}), which are never in one table; report "
        "the runs of one at a time",
        mixture.reports.size(), fmt::join(groups_of(mixture), "; ")));
  for (const std::string& sentence : mixture.left_out) fmt::print(stderr, "podium: {}\n", sentence);
  const char* between = "";
  for (const report::Mix& mix : mixture.reports) {
    fmt::print("{}", std::exchange(between, "\n"));
    if (request.publish)
      report::publish(mix.report, std::filesystem::canonical(mix.run.folder).parent_path());
    else
      put(mix, request);
  }
  return Exit::success;
}

std::vector<std::string> all_formats() {
  std::vector<std::string> names = report::format_names();
  names.emplace_back(parquet);
  return names;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option(
         "run", request->runs,
         "Folders of runs, results/<device>/<run>, or folders that hold some: results/, results/<device>")
      ->required();
  app.add_option("--format", request->format,
                 fmt::format("Format of the output: {} (table); docs/exports.md explains them",
                             fmt::join(all_formats(), ", ")))
      ->check(CLI::IsMember(all_formats()));
  app.add_option(
      "--out", request->out,
      "Write report.md, report.json and report.csv to this folder, or the report of --format alone, "
      "and nothing to the terminal");
  app.add_flag("--publish", request->publish,
               "Write the run's tables to README.md in the folder of its device");
  return [request] { return report(*request); };
}

const Registered registered({.name = "report",
                             .summary = "Print the tables of runs, one by one or together",
                             .place = 100,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
