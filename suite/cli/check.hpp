// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The parts of `podium check`: the workloads that it looks at, what verifying them costs, and how small an
// error of each output they detect.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/exit.hpp"
#include "suite/compile/job.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/sensitivity.hpp"

namespace podium::cli {

// Indices of the board's workloads that `wanted` names, as NAME or TYPES/NAME; if it is "", of those of
// `stages`.
std::vector<int> workloads_to_check(const problem::Problem& problem, const problem::Choice& choice,
                                    const std::string& wanted, const std::vector<problem::Stage>& stages);

// The program of the process of a reference in Python on that board, among what the builder made of the
// judge's programs of all boards and, behind them, of the references; empty: the problem has none.
std::filesystem::path reference_among(const std::vector<compile::Product>& products,
                                      const problem::Problem& problem, std::size_t choice);

// Throws podium::Error if `wanted` names no workload of the problem; "" names all.
void require_workload(const problem::Problem& problem, const std::string& wanted);

using Columns =
    std::vector<std::vector<std::string>>;  // lines with equal numbers of cells, the heading first

void print_columns(const Columns& lines);

// Prints the cost of verification on the device by workload. Returns Exit::contestant if a sample is too
// expensive on a GPU. `references`: also prints the time of each reference.
Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references, const std::string& workload);

struct SensedWorkload {
  std::size_t choice;
  int workload;  // index into problem.workloads
  protocol::Sensed found;
  bool estimated = false;
};

// Estimates the smallest detected errors of the workloads in `large`, which are too large to be evaluated, on
// the board of `choice`. Their limits follow from their numbers. The scale of these limits is that of the
// largest measured workload with the same fills, or else at least the element.
void estimate(const problem::Problem& problem, std::size_t choice, const std::vector<int>& large,
              std::vector<SensedWorkload>& workloads);

// A line for each board, workload and output.
void print_sensitivity(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

// Throws podium::Error with a sentence for each output that is not sensitive enough, unless its tolerance is
// stated to be loose: an error of 1 % (or four units in the last place if that is more) in all elements, or
// zeros, would be right on some workload. An output with checks alone: zeros would be right on every
// workload. Any other output: no element of any workload shows errors, or more elements are excused than
// near-ties explain.
void refuse_insensitive(const problem::Problem& problem, const std::vector<SensedWorkload>& workloads);

}  // namespace podium::cli
