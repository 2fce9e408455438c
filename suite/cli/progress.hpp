// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Progress for a person: one line that changes on a terminal; elsewhere a line a board, of which nothing
// changes.
#pragma once
#include <set>
#include <string>

#include "suite/contest/run.hpp"

namespace podium::cli {

enum class Verbosity {
  quiet,   // no progress
  normal,  // elsewhere than on a terminal a line a board
  verbose  // there a line a round
};

inline Verbosity verbosity_of(bool quiet, bool verbose) {
  return quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
}

class ProgressLine {
 public:
  explicit ProgressLine(Verbosity verbosity);
  ~ProgressLine();
  void show(const contest::Progress& progress);
  // A state, such as that of the build. Elsewhere than on a terminal it is shown once for each `subject`.
  void show(const std::string& line, const std::string& subject);
  void clear();

 private:
  Verbosity verbosity_;
  bool terminal_;
  bool shown_ = false;
  std::set<std::string> shown_subjects_;  // subjects
};

}  // namespace podium::cli
