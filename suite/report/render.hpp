// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reports of a run: for the terminal, as Markdown, and in the formats of other programs.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "suite/report/board.hpp"

namespace podium::report {

struct Style {
  std::size_t columns = 120;
  bool unicode = true;
  bool brief = false;  // of a board no times by workload, and three lines of notes at most
};
Style terminal_style();  // of standard output and its environment: COLUMNS, TERM, LC_ALL, LC_CTYPE, LANG

std::string terminal(const Report& report, const Style& style);
// The device, and what casts doubt on the whole run; and one of its boards.
std::string terminal_heading(const record::Provenance& provenance, const Style& style);
std::string terminal_board(const BoardReport& board, const Style& style);
std::string markdown(
    const Report& report);  // provenance and all boards: what results/<device>/README.md holds
nlohmann::json to_json(const Report& report);
std::string json_text(const Report& report);
std::string latex(const Report& report);  // a table of package booktabs a board
// Google Benchmark's JSON, as its compare.py reads it: a repetition is the median of a round.
std::string benchmark_json(const record::Run& run, const Report& report);
// Results as of the T4 format of auto-tuners, 1.0.0: one for each contestant and workload.
std::string t4_json(const record::Run& run, const Report& report);

struct Format {
  std::string name;  // "md"
  std::string file;  // "report.md"; "": none, it is for the terminal
  std::string (*text)(const record::Run& run, const Report& report);
};
const std::vector<Format>& formats();
std::vector<std::string> format_names();

// Throws podium::Error for a format that there is not, or a run whose provenance is unreadable.
std::string render(const record::Run& run, const Report& report, const std::string& format);
std::string render(const record::Run& run, const std::string& format);

// Writes report.md, report.json and report.csv into `folder`, made if absent. Throws podium::Error.
void write(const record::Run& run, const Report& report, const std::filesystem::path& folder);
void write(const record::Run& run, const std::filesystem::path& folder);

// Writes README.md, the published tables of a device, into `folder` (results/<device>). Throws podium::Error;
// also if no board of the run is ranked on bench workloads: quick results are not published.
void publish(const Report& report, const std::filesystem::path& folder);

}  // namespace podium::report
