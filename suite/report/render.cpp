// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run in the format asked for, to the terminal or into a folder.
#include "suite/report/render.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <system_error>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/report/long_table.hpp"

namespace podium::report {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Whether the locale names a character set that lacks the few signs used here. One that names none ("C",
// unset) is no evidence: most terminals have been UTF-8 for long.
bool other_charset() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (locale.empty()) locale = variable(name);
  const std::size_t dot = locale.find('.');
  if (dot == std::string::npos) return false;
  std::string charset;
  for (const char c : locale.substr(dot + 1, locale.find('@') - dot - 1))
    if (c != '-') charset += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return charset != "utf8";
}

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(fmt::format("{}: the folder cannot be created: {}", folder.string(), error.message()));
}

}  // namespace

Style terminal_style() {
  Style style{.unicode = variable("TERM") != "dumb" && !other_charset()};
  winsize size{};
  const std::string columns = variable("COLUMNS");
  int stated = 0;  // stays so if it is no number
  std::from_chars(columns.data(), columns.data() + columns.size(), stated);
  if (stated > 0) {
    style.columns = static_cast<std::size_t>(stated);
  } else if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    style.columns = size.ws_col;
  }
  return style;
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all{
      {"table", "", [](const record::Run&, const Report& r) { return terminal(r, terminal_style()); }},
      {"md", "report.md", [](const record::Run&, const Report& r) { return markdown(r); }},
      {"json", "report.json", [](const record::Run&, const Report& r) { return json_text(r); }},
      {"csv", "report.csv", [](const record::Run&, const Report& r) { return csv(long_table(r)); }},
      {"latex", "report.tex", [](const record::Run&, const Report& r) { return latex(r); }},
      {"benchmark", "report.benchmark.json", benchmark_json},
      {"t4", "report.t4.json", t4_json}};
  return all;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const Format& format : formats()) names.push_back(format.name);
  return names;
}

std::string render(const record::Run& run, const Report& report, const std::string& format) {
  const auto found = std::ranges::find(formats(), format, &Format::name);
  if (found == formats().end())
    throw Error(fmt::format("--format: {}", found_one_of(format, format_names())));
  return found->text(run, report);
}

std::string render(const record::Run& run, const std::string& format) {
  return render(run, report_of(run), format);
}

void write(const record::Run& run, const std::filesystem::path& folder) {
  write(run, report_of(run), folder);
}

void write(const record::Run& run, const Report& report, const std::filesystem::path& folder) {
  make_folder(folder);
  for (const Format& format : formats())
    if (format.name == "md" || format.name == "json" || format.name == "csv")
      record::write_file(folder / format.file, format.text(run, report));
}

void publish(const Report& report, const std::filesystem::path& folder) {
  const bool ranked = std::ranges::any_of(report.boards, [](const BoardReport& board) {
    return board.stage == "bench" &&
           std::ranges::any_of(board.rows, [](const Row& row) { return row.standing == Standing::ranked; });
  });
  if (!ranked)
    throw Error(fmt::format(
        "{}: no board is ranked on bench workloads, and only those are published; run with --full",
        folder.string()));
  make_folder(folder);
  record::write_file(folder / "README.md", markdown(report));
}

}  // namespace podium::report
