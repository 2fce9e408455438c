// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Progress: on a terminal one line that is updated, elsewhere one line for each board.
#pragma once
#include <set>
#include <string>

#include "suite/contest/run.hpp"

namespace podium::cli {

enum class Verbosity {
  quiet,   // no progress
  normal,  // without a terminal one line for each board
  verbose  // without a terminal one line for each round
};

inline Verbosity verbosity_of(bool quiet, bool verbose) {
  return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
}

class ProgressLine {
 public:
  explicit ProgressLine(Verbosity verbosity);
  ~ProgressLine();
  void show(const contest::Progress& progress);
  // A state, such as that of the build. Without a terminal it is shown once for each `subject`.
  void show(const std::string& line, const std::string& subject);
  void clear();

 private:
  Verbosity verbosity_;
  bool terminal_;
  bool shown_ = false;
  std::set<std::string> shown_subjects_;  // subjects
};

}  // namespace podium::cli
