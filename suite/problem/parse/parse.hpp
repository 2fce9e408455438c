// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From a problem file to a Problem, and from a folder of problems to all of them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Reads and checks kernels/<name>/problem.yaml (the folder's name is the problem's name). Throws
// podium::Error whose text holds every mistake found, one sentence a line: file:line: key: found, expected,
// nearest valid name.
Problem load(const std::filesystem::path& file);
Problem parse(std::string name, std::string source, const std::filesystem::path& file);

// The problem of every sub-folder of `folder` that has a problem.yaml, sorted by name. Throws podium::Error
// whose text holds the mistakes of all files, or says that there is no such folder or no problem in it.
std::vector<Problem> load_all(const std::filesystem::path& folder);

}  // namespace podium::problem
