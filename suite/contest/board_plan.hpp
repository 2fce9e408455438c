// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What is to run on one board, and who competes there.
#pragma once
#include <filesystem>
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
  std::string sha256;      // of its source and of the code objects that it names: as planned, then as built
  bool emulated = false;   // verified, never timed
  std::vector<int> timed;  // workloads on which it is timed, indices into problem->workloads
};

// On a contestant that was built so; right if it was.
Verdict verdict_of(compile::Product::Status status);

struct BoardPlan {
  const problem::Problem* problem = nullptr;
  std::size_t choice = 0;
  std::filesystem::path program;
  bool broken = false;  // the program did not compile: nothing can run
  std::vector<Entrant> entrants;
  std::string unmet;       // why the device does not run the problem; "": it does
  std::string baseline;    // its name; empty if none of the entrants
  std::vector<int> tests;  // indices into problem->workloads
  std::vector<int> timed;  // all that any entrant is timed on
};

}  // namespace podium::contest
