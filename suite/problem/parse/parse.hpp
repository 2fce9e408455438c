// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From a problem file to a Problem.
#pragma once
#include <filesystem>
#include <string>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Reads and checks kernels/<name>/problem.yaml (the folder's name is the problem's name). Throws
// podium::Error whose text holds every mistake found, one sentence a line: file:line: key: found, expected,
// nearest valid name.
Problem load(const std::filesystem::path& file);
Problem parse(std::string name, std::string source, const std::filesystem::path& file);

}  // namespace podium::problem
