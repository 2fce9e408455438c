// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two runs of one device held against each other: what has become faster, slower, wrong. No layout.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/record/record.hpp"
#include "suite/report/board.hpp"

namespace podium::report {

enum class Change {
  slower,     // by more than the margin
  fails,      // timed before, failed after
  gone,       // timed before, and not, or not on this workload, after
  undecided,  // the interval is too wide to say
  faster,
  mended,  // failed before, timed after
  added,
  same,  // within the margin
};
std::string_view name_of(Change change);  // "new" for added

// A contestant on one workload.
struct Compared {
  std::string problem, types, stage, contestant;
  std::string workload;  // empty: all of the board's
  Change change = Change::same;
  std::string text;                     // of `fails` and `mended`: what failed
  std::optional<double> before, after;  // medians of the rounds' medians, microseconds
  // after / before: geometric means of rounds with Welch's 95 % interval, which is this row's own.
  std::optional<double> ratio, low, high;
};

struct Comparison {
  record::Provenance before, after;
  double margin = 0;               // share of the time below which a change does not count
  std::vector<Compared> rows;      // in the order of boards, contestants, workloads
  std::vector<std::string> notes;  // what else differs between the runs: driver, compiler, problem file ...

  int count(Change change) const;
};

// Verdicts are adjusted (Holm) over all rows with both times, so that the chance of any false `faster` or
// `slower` is at most 5 %; less than two rounds decide nothing. Throws podium::Error: provenance that cannot
// be read, or runs that do not compare: of two devices or levels of verification, of two revisions of a
// problem, without a board that both have. `problems`: only these; empty: all.
Comparison compare(const record::Run& before, const record::Run& after, double margin,
                   const std::vector<std::string>& problems = {});

// `format`: "table" (rows that are not the same, or `all`), "md", "json" or "csv" (all rows), or "summary"
// (Markdown for a pull request: at most 20 of the rows that changed). Throws podium::Error for another one.
std::string render(const Comparison& comparison, const std::string& format, bool all);

}  // namespace podium::report
