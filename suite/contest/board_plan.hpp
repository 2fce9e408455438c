// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is to run on one board, and who competes there.
#pragma once
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "suite/base/verdict.hpp"
#include "suite/compile/builder.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::contest {

// A contestant on one board, and what building it gave.
struct Entrant {
  compile::Contestant contestant;
  compile::Product product;
  // Of its source and of the code objects that it names, and the source: as planned, then as built.
  std::string sha256;
  std::shared_ptr<const std::string> text;
  bool emulated = false;   // verified, never timed
  std::vector<int> timed;  // workloads on which it is timed, indices into problem->workloads
  // Of a run that goes on: what an earlier segment has finished.
  std::set<int> verified;  // likewise
  bool out = false;        // it failed: on record, and it takes no further part
};

// On a contestant that was built so; right if it was.
Verdict verdict_of(compile::Product::Status status);

struct BoardPlan {
  const problem::Problem* problem = nullptr;
  std::size_t choice = 0;
  std::filesystem::path program;
  compile::Product reference;  // the program of its process, of a problem with a reference in Python
  bool broken = false;         // the program or the reference did not compile: nothing can run
  std::vector<Entrant> entrants;
  std::string unmet;       // why the device does not run the problem; "": it does
  std::string baseline;    // its name; empty if none of the entrants
  std::vector<int> tests;  // indices into problem->workloads
  std::vector<int> timed;  // all that any entrant is timed on
  int series = 0;          // record::Entry::series
  int first_round = 0;     // those before are on record
  bool twin_out = false;   // the baseline's twin failed in one of these
};
inline int ranks_of(const BoardPlan& board) { return board.problem->choices[board.choice].ranks; }

}  // namespace podium::contest
