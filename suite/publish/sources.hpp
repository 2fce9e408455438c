// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The texts that runs name by their hashes.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/publish/runs.hpp"

namespace podium::publish {

// By the hash by which a run names it: each text of a contestant, of a file that one includes and of a
// problem, where a run kept it or a file below `problems` still is that text. Adds to `faults` a sentence for
// each run whose texts cannot be read.
nlohmann::json sources_of(const std::vector<FoundRun>& runs, const std::filesystem::path& problems,
                          std::vector<std::string>& faults);

}  // namespace podium::publish
