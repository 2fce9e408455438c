// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium report`: the tables of finished runs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "suite/base/file_text.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/python.hpp"
#include "suite/record/record.hpp"
#include "suite/report/long_table.hpp"
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

std::string parquet_of(const record::Run& run) {
  const sandbox::ScratchFolder scratch(geteuid());
  const auto table = scratch.path() / "table.json", file = scratch.path() / "report.parquet";
  record::write_file(table, report::to_json(report::long_table(report::report_of(run))).dump());
  run_module("podium_table", {table.string(), "--to", file.string()}, "no Parquet was written");
  return text_of(file);
}

std::string text_of(const record::Run& run, const std::string& format) {
  return format == parquet ? parquet_of(run) : report::render(run, format);
}

std::string file_of(const std::string& format) {
  if (format == parquet) return "report.parquet";
  return std::ranges::find(report::formats(), format, &report::Format::name)->file;
}

void put(const record::Run& run, const Request& request) {
  if (!request.out.empty() && request.format.empty()) return report::write(run, request.out);
  const std::string format = request.format.empty() ? "table" : request.format;
  const std::string text = text_of(run, format);
  if (request.out.empty()) {
    if (format == parquet && isatty(STDOUT_FILENO))
      throw Error(
          "--format parquet: is not for a terminal; give --out FOLDER, or redirect the output to a file");
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stdout));
    return;
  }
  if (file_of(format).empty())
    throw Error(fmt::format("--format {}: is for the terminal; expected another format with --out", format));
  std::filesystem::create_directories(request.out);
  record::write_file(request.out / file_of(format), text);
}

Exit report(const Request& request) {
  for (const auto& folder : request.runs) {
    const auto run = record::read(folder);
    if (request.publish)
      report::publish(run, std::filesystem::canonical(folder).parent_path());
    else
      put(run, request);
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
  app.add_option("run", request->runs, "Folders of runs: results/<device>/<run>")->required();
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

const Registered registered(
    {.name = "report", .summary = "Print the tables of finished runs", .place = 100, .declare = declare});

}  // namespace
}  // namespace podium::cli
