// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that two devices may say of one problem, compared.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "tests/agreement/differences.hpp"
#include "tests/agreement/side.hpp"

namespace podium::agreement {

struct Agreement {
  Comparison references;
  std::vector<std::string> others;  // inputs and verdicts that differ
  int workloads = 0;
  std::string text() const;                 // every difference, a line each
  std::set<std::string> differing() const;  // names of references
};

// Test workloads in full and sampled, those of the stage `quick` sampled where `quick`. Inputs: bit by bit.
// References of fills and of verifications: see differences.hpp. Verdicts of outputs that are all of a kind.
Agreement compare(Side& left, Side& right, bool quick);

}  // namespace podium::agreement
