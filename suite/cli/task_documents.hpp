// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The YAML files of tasks as JSON: importers have no YAML of their own.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace podium::cli {

// Scalars are typed as in YAML's core schema, with `True` and `False` as Python writes them. Throws
// podium::Error.
nlohmann::ordered_json yaml_as_json(const std::filesystem::path& file);

// A folder's task.yml files: its own, or those below it.
std::vector<std::filesystem::path> task_files(const std::filesystem::path& folder);

}  // namespace podium::cli
