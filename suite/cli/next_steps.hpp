// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The commands that `podium run` and `podium verify` suggest at the end of their page.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/report/summary.hpp"

namespace podium::cli {

enum class Suggestion { run, run_full, verify_full, show_problem, new_contestant };

// `first`, what this run alone can suggest, then as many `others` about `problem` as make three. `folder`: of
// problems, as the user named it; empty: the default. `kind`: of the new contestant.
std::vector<report::NextStep> next_steps(std::vector<report::NextStep> first,
                                         const std::vector<Suggestion>& others, const std::string& problem,
                                         const std::filesystem::path& folder, const std::string& kind = "");

}  // namespace podium::cli
