// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/next_steps.hpp"

#include <fmt/format.h>

#include "suite/cli/places.hpp"

namespace podium::cli {
namespace {

constexpr std::size_t most_steps = 3;

report::NextStep step(Suggestion suggestion, const std::string& problem, const std::filesystem::path& folder,
                      const std::string& kind) {
  const std::string podium = own_command(), problems = problems_option(folder);
  switch (suggestion) {
    case Suggestion::run:
      return {fmt::format("{} run {}{}", podium, problem, problems), "who is fastest"};
    case Suggestion::run_full:
      return {fmt::format("{} run {} --full{}", podium, problem, problems),
              "the workloads of published tables"};
    case Suggestion::verify_full:
      return {fmt::format("{} verify {} --full{}", podium, problem, problems),
              "every element, on all workloads"};
    case Suggestion::show_problem:
      return {fmt::format("{} show problem {}{}", podium, problem, problems),
              "what it computes, and its workloads"};
    case Suggestion::new_contestant:
      return {fmt::format("{} new contestant {} mine --kind {}{}", podium, problem, kind, problems),
              "enter a contestant of your own"};
  }
  return {};
}

}  // namespace

std::vector<report::NextStep> next_steps(std::vector<report::NextStep> first,
                                         const std::vector<Suggestion>& others, const std::string& problem,
                                         const std::filesystem::path& folder, const std::string& kind) {
  for (const Suggestion other : others)
    if (first.size() < most_steps) first.push_back(step(other, problem, folder, kind));
  return first;
}

}  // namespace podium::cli
