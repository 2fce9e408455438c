// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error of each output a problem's test workloads notice, and whether that is little enough.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"
#include "suite/protocol/sensitivity.hpp"

namespace podium::cli {

struct SensedWorkload {
  std::size_t choice;
  int workload;  // index into problem.workloads
  protocol::Sensed found;
};

// A line for each board, test workload and output.
void print_sensitivity(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

// Throws podium::Error, a sentence for each output at fault: an error of 1 % in all of its elements would be
// right on some workload, or of four units in the last place where that is more, or zeros would; unless its
// tolerance is stated to be loose. Of an output with checks alone: zeros would be right on every workload.
void refuse_insensitive(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

}  // namespace podium::cli
