// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A folder of problems: kernels/<name>/problem.yaml.
#include "suite/problem/parse/collection.hpp"

#include "suite/problem/parse/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "suite/base/error.hpp"

namespace podium::problem {

std::vector<Problem> load_all(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;  // a file among the folders has no problem.yaml in it
    if (const auto file = entry->path() / "problem.yaml"; std::filesystem::exists(file, ignored))
      files.push_back(file);
  }
  if (error)
    throw Error(
        fmt::format("{}: cannot be read: {}; give a folder of problems", folder.string(), error.message()));
  if (files.empty())
    throw Error(
        fmt::format("{}: found no problem, expected sub-folders with a problem.yaml", folder.string()));
  std::sort(files.begin(), files.end());
  std::vector<Problem> problems;
  std::string mistakes;
  for (const auto& file : files) {
    try {
      problems.push_back(load(file));
    } catch (const Error& mistake) {
      mistakes += (mistakes.empty() ? "" : "\n") + std::string(mistake.what());
    }
  }
  if (!mistakes.empty()) throw Error(mistakes);
  return problems;
}

}  // namespace podium::problem
