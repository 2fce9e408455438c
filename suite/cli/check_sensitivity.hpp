// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error of each output a problem's workloads notice, and whether that is little enough.
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
  bool estimated = false;
};

// Of the board of `choice`: what each workload in `large`, which nobody measures, would notice. Its limits
// follow from its numbers; of what they are relative to, the largest measured workload with the same fills
// tells, or where none is like it that it is at least the element.
void estimate(const problem::Problem& problem, std::size_t choice, const std::vector<int>& large,
              std::vector<SensedWorkload>& workloads);

// A line for each board, workload and output.
void print_sensitivity(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

// Throws podium::Error, a sentence for each output at fault: an error of 1 % in all of its elements would be
// right on some workload, or of four units in the last place where that is more, or zeros would; unless its
// tolerance is stated to be loose. Of an output with checks alone: zeros would be right on every workload. Of
// any other: no element of any workload tells, or more are excused than near-ties explain.
void refuse_insensitive(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

}  // namespace podium::cli
