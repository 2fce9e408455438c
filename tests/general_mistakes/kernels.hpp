// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the tests over all problems of kernels/ share.
#pragma once
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace podium::mistakes {

inline std::filesystem::path kernels() { return std::filesystem::path(test::source_dir()) / "kernels"; }

// The folders in kernels/ that hold a problem, sorted.
inline std::vector<std::string> problems() {
  std::vector<std::string> all;
  for (const auto& entry : std::filesystem::directory_iterator(kernels()))
    if (std::filesystem::exists(entry.path() / "problem.yaml")) all.push_back(entry.path().filename());
  std::sort(all.begin(), all.end());
  return all;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string all;
  for (const auto& line : lines) all += line + "\n";
  return all;
}

}  // namespace podium::mistakes
