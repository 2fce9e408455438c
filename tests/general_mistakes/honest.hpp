// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What an honest contestant must get, so that the constants of a tolerance are justified.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/contest/session.hpp"
#include "suite/record/record.hpp"
#include "tests/general_mistakes/examine.hpp"

namespace podium::mistakes {

// Of programs_dir().
contest::Executables executables_of(const std::string& backend);

// Of its limit: what an honest one may err by. An ulp of tolerance is twice the rounding on storing, and
// whatever accumulates must pass with `growth` halved.
inline constexpr double honest_error = 0.5;

struct Said {
  record::RecordedVerdict verdict;
  std::string text;
  double worst = 0;  // the largest error, of its limit
};

// A sentence on `who` where the judge did not say that it is right with half of the limit or less; else "".
std::string fault_of_honest(const std::string& who, const std::string& workload, const Said& said);

struct Held : Report {
  std::vector<std::string> left_out;  // boards that cannot be held here, and why: a sentence each
};
// The contestant that `baseline` names for `backend` in the problem in `folder`, on every board and test
// workload of device `ordinal`, or of a sample of one board. A board without one, and a baseline that
// supports none of its workloads, are faults. Throws podium::Error: no device (Fault::device), or a program
// that does not compile.
Held hold_baseline(const std::filesystem::path& folder, const std::string& backend, int ordinal,
                   bool sample = false);

}  // namespace podium::mistakes
