// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge says of a problem's wrong contestants, held against what it must say.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace podium::mistakes {

struct Report {
  std::vector<std::string> faults;  // problem, board, output, mistake, evidence
  std::vector<std::string> lines;   // every mistake: on how many workloads it was rejected, or why it is none
};

// Every mistake in every output on every board of the problem in `folder`, each on a sample of the test
// workloads unless test::whole() (tests/whole.hpp); files are written to `scratch`. Throws podium::Error or
// std::runtime_error where that is not possible.
Report examine(const std::filesystem::path& folder, const std::filesystem::path& scratch);

}  // namespace podium::mistakes
