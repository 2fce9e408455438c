// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Progress for a person: one line that changes on a terminal, one line a problem and round elsewhere.
#pragma once
#include <string>

#include "suite/contest/run.hpp"

namespace podium::cli {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  void show(const contest::Progress& progress);
  void show(const std::string& line);  // a state, e.g. of the build
  void clear();

 private:
  bool quiet_, terminal_;
  bool shown_ = false;
  std::string last_;
};

}  // namespace podium::cli
