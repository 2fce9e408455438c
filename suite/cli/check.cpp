// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/report/format.hpp"

namespace podium::cli {

std::vector<int> workloads_to_check(const problem::Problem& problem, const problem::Choice& choice,
                                    const std::string& wanted, const std::vector<problem::Stage>& stages) {
  std::vector<int> found;
  for (std::size_t w = 0; w < problem.workloads.size(); ++w) {
    const auto& workload = problem.workloads[w];
    if (!problem::on_board(workload, choice)) continue;
    const bool named = wanted == workload.name || wanted == choice.name + "/" + workload.name;
    if (wanted.empty() ? std::ranges::find(stages, workload.stage) != stages.end() : named)
      found.push_back(static_cast<int>(w));
  }
  return found;
}

void require_workload(const problem::Problem& problem, const std::string& wanted) {
  if (wanted.empty()) return;
  std::vector<std::string> all;
  for (const auto& choice : problem.choices) {
    if (!workloads_to_check(problem, choice, wanted, {}).empty()) return;
    for (const auto& workload : problem.workloads)
      if (problem::on_board(workload, choice)) all.push_back(choice.name + "/" + workload.name);
  }
  throw Error(fmt::format("{}: --workload: {}", problem.file.string(), found_one_of(wanted, all)));
}

void print_columns(const Columns& lines) {
  std::vector<std::size_t> widths(lines[0].size());
  for (const auto& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], report::width(line[k]));
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t k = 0; k < line.size(); ++k)
      text += line[k] + std::string(widths[k] - report::width(line[k]) + 2, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    fmt::print("{}\n", text);
  }
}

}  // namespace podium::cli
