// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium run` and `podium bench` read from a request alike.
#pragma once
#include "suite/cli/commands.hpp"
#include "suite/cli/devices.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

problem::Stage stage_for(const RunRequest& request, const std::string& backend);
contest::Selection selection_of(const RunRequest& request, problem::Stage stage, const std::string& backend);
contest::RunOptions options_of(const RunRequest& request, problem::Stage stage, const DeviceName& device);

// Prints the names that --benchmark_filter matches; measures nothing.
Exit list_benchmarks(const RunRequest& request);

// Throws podium::Error if --require-sandbox was given and the machine does not grant it.
void refuse_missing_sandbox(const RunRequest& request);
// Throws podium::Error if the plan is empty.
void refuse_nothing(const contest::Plan& plan, const RunRequest& request);

}  // namespace podium::cli
