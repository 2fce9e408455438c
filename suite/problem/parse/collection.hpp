// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All problems of a folder.
#pragma once
#include <filesystem>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// The problem of every sub-folder of `folder` that has a problem.yaml, sorted by name. Throws podium::Error
// whose text holds the mistakes of all files, or says that there is no such folder or no problem in it.
std::vector<Problem> load_all(const std::filesystem::path& folder);

}  // namespace podium::problem
