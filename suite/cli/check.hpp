// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The parts of `podium check`: the workloads that it looks at, what verifying them costs, and how small an
// error of each output they detect.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/sensitivity.hpp"

namespace podium::cli {

// The board's workloads, by index: those that `wanted` names, or where it is "" those of `stages`.
std::vector<int> workloads_to_check(const problem::Problem& problem, const problem::Choice& choice,
                                    const std::string& wanted, const std::vector<problem::Stage>& stages);

// Throws podium::Error if `wanted` names none of the problem's; "" names all.
void require_workload(const problem::Problem& problem, const std::string& wanted);

using Columns = std::vector<std::vector<std::string>>;  // lines of as many cells each, the heading first

void print_columns(const Columns& lines);

// What verification costs on the device, workload by workload; Exit::contestant if a sample is too expensive
// on a GPU. `references`: each reference's time as well.
Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references, const std::string& workload);

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
