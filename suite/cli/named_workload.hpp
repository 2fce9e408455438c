// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The workload that `podium check --workload` names: by its name, or as TYPES/NAME.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::cli {

// The board's workloads, by index: those that `wanted` names, or where it is "" those of `stages`.
std::vector<int> workloads_to_check(const problem::Problem& problem, const problem::Choice& choice,
                                    const std::string& wanted, const std::vector<problem::Stage>& stages);

// Throws podium::Error if `wanted` names none of the problem's; "" names all.
void require_workload(const problem::Problem& problem, const std::string& wanted);

}  // namespace podium::cli
