// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Holds the statements of an example against what its problem does when it is filled, evaluated and verified.
#pragma once
#include <string>
#include <vector>

#include "tests/docs/example.hpp"

namespace podium::docs {

// What is wrong with an example that is not refused: sentences, none if all is well. Every test workload of
// every board is filled, evaluated and verified, in full and on a sample; outputs that hold what the example
// states are right, and with any one element changed are wrong.
std::vector<std::string> faults_of(const Example& example);

// Texts of the judge's programs that faults_of() will compile, for compiling them side by side beforehand.
std::vector<std::string> programs_of(const Example& example);

}  // namespace podium::docs
