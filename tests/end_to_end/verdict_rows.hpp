// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What became of a contestant in a run, and the lines in which tests print it: tests/experiments/verdicts.py
// and honest.py read them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/record/record.hpp"

namespace podium::test {

struct Outcome {
  std::map<std::string, std::string> got;  // verdict -> evidence
  int timed = 0;                           // entries with times
  int judged = 0;  // of these, entries whose times are the judge's, since the worker's could not be told true

  std::string evidence() const;  // a line for each verdict
  std::string cell() const;      // "clock | right  [judge's clock: 1 of 4]"
};

// The rows that `podium verify` printed: one a board and contestant.
std::vector<record::Entry> verified_rows(const std::string& printed);

Outcome outcome_of(const record::Run& run, const std::string& contestant);

// A folder's rows, one a contestant and run, and how many of them are not as expected or have times of the
// judge's; whether others took the processors meanwhile.
struct Count {
  int rows = 0, unexpected = 0, judged = 0;
  bool busy = false;
};

void print_heading(const std::string& folder);  // "honest/sum"
void print_row(const std::string& name, const std::string& cheats, const std::string& expected,
               const std::string& got);
void print_count(const Count& count);

}  // namespace podium::test
