// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A board as cells, before any layout: what terminal and Markdown both show.
#pragma once
#include <string>
#include <vector>

#include "suite/report/board.hpp"

namespace podium::report {

struct Column {
  std::string header;
  bool right = false;      // numbers
  bool names = false;      // says which row it is: shown also where a remark takes the place of numbers
  int importance = 0;      // where space is short the lowest goes first; 0: never
  bool stretches = false;  // cut to the space there is, rather than left out
};

struct Line {
  std::vector<std::string> cells;  // one a column
  std::string remark;              // of a row that has no numbers: takes their place
};

struct Table {
  std::vector<Column> columns;
  std::vector<Line> lines;
};

Table ranking_table(const BoardReport& board);   // columns in which nobody has anything are left out
Table workload_table(const BoardReport& board);  // contestants by workloads: median and interval; no lines if
                                                 // only one workload

// Of contestants over all their boards, and what its columns mean.
Table overall_table(const std::vector<Overall>& overall);
inline constexpr const char* overall_note =
    "win rate: share of workloads on which the contestant is shown to be faster than the baseline. fast_p: "
    "share on which its mean speed-up is above p. Wrong or unfinished ones count as lost";

std::string heading(const BoardReport& board);  // "softmax · f32 · bench"
std::string subheading(
    const BoardReport& board);  // "2 workloads; 9 rounds; differences below 0.2 % do not count"
// In order of importance: why ranks are missing or may not hold; who is not ranked or not told apart, and
// what is faster than calibrated; what else was seen; what the columns mean.
std::vector<std::string> footnotes(const BoardReport& board);
std::string device_text(const record::DeviceKey& key);  // "NVIDIA H200 (sm_90)"

}  // namespace podium::report
