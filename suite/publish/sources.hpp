// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The texts that runs name by their hashes.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "suite/publish/runs.hpp"

namespace podium::publish {

// By hash: each text that a run names, of contestants, of the files that these include and of problems, where
// a run holds it or a file below `problems` still has that hash.
nlohmann::json sources_of(const std::vector<FoundRun>& runs, const std::filesystem::path& problems);

}  // namespace podium::publish
