// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/verdict_rows.hpp"

#include <cstdio>
#include <regex>
#include <sstream>

namespace podium::test {

std::string Outcome::evidence() const {
  std::string lines;
  for (const auto& [verdict, text] : got) lines += verdict + ": " + text + "\n";
  return lines;
}

std::string Outcome::cell() const {
  std::string all;
  for (const auto& [verdict, text] : got) all += (all.empty() ? "" : " | ") + verdict;
  if (judged > 0) all += "  [judge's clock: " + std::to_string(judged) + " of " + std::to_string(timed) + "]";
  return all;
}

std::vector<record::Entry> verified_rows(const std::string& printed) {
  static const std::regex row("([^ ]+)/([^ /]+) +([^ ]+)  +(.*?)  +(.*)");  // later lines of one are indented
  std::vector<record::Entry> rows;
  std::istringstream lines(printed);
  std::smatch parts;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, parts, row)) continue;
    record::Entry& entry = rows.emplace_back();
    entry.problem = parts[1];
    entry.types = parts[2];
    entry.contestant = parts[3];
    entry.verdict = record::RecordedVerdict::from_word(parts[4].str());
    entry.text = parts[5];
  }
  return rows;
}

Outcome outcome_of(const record::Run& run, const std::string& contestant) {
  Outcome outcome;
  for (const auto& entry : run.entries) {
    if (entry.contestant != contestant) continue;
    outcome.got.emplace(entry.verdict.word(), entry.text);
    outcome.timed += entry.round >= 0 && entry.verdict.word() == "right";
    outcome.judged += entry.judged;
  }
  return outcome;
}

void print_row(const std::string& name, const std::string& cheats, const std::string& expected,
               const std::string& got) {
  std::printf("  %-22s %-52s %-52s %s\n", name.c_str(), cheats.c_str(), expected.c_str(), got.c_str());
}

void print_heading(const std::string& folder) { print_row(folder, "class", "expected", "got"); }

void print_count(const Count& count) {
  std::printf("  (%d rows, %d not as expected, %d with times of the judge's clock; %s)\n", count.rows,
              count.unexpected, count.judged, count.busy ? "busy: others took the processors" : "quiet");
}

}  // namespace podium::test
