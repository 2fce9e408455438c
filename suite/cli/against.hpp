// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium check --against`: whether a problem with formulas and one whose reference is Python, such as an
// imported one, mean the same.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/base/exit.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::cli {

// What two problems have in common.
struct Common {
  struct Row {
    std::string workload;                      // theirs, whose name ours gets
    std::size_t own_choice, other_choice;      // of types
    std::size_t other;                         // index into theirs' workloads
    std::map<std::string, std::int64_t> axes;  // ours
    std::map<std::string, double> parameters;
  };
  std::vector<std::size_t> tensors;  // of ours, by place: that of theirs
  std::vector<Row> rows;
};

// Tensors by name, else by place among those of their role; workloads of theirs, tests first, whose shapes
// and types ours can have. Throws podium::Error, one sentence, if there are none.
Common common_to(const problem::Problem& own, const problem::Problem& other);

// Draws inputs by our fills. Their answer is judged by our reference and tolerances, and a contestant of ours
// by their check. Prints a line for each. Exit::contestant if one rejects the other.
Exit check_against(const std::filesystem::path& own, const std::filesystem::path& other);

}  // namespace podium::cli
