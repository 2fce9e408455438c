// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/general_mistakes/honest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/paths.hpp"
#include "tests/whole.hpp"

namespace podium::mistakes {
namespace {

void judge(const contest::BoardPlan& board, const std::vector<record::Entry>& entries, Held& held) {
  const auto& problem = *board.problem;
  const std::string &types = problem.choices[board.choice].name, where = problem.name + "/" + types + ": ";
  int right = 0;
  double worst = 0;
  for (const auto& entry : entries) {
    if (entry.types != types || entry.verdict == Verdict::unsupported) continue;
    if (entry.verdict == Verdict::missing_library || !board.unmet.empty()) {
      held.left_out.push_back(where + entry.text);
      return;
    }
    if (const auto fault =
            fault_of_honest(entry.contestant, entry.workload, {entry.verdict, entry.text, entry.worst});
        !fault.empty())
      held.faults.push_back(where + fault);
    ++right;
    worst = std::max(worst, entry.worst);
  }
  if (right == 0)
    held.faults.push_back(where + "its baseline was verified on no test workload, expected at least one");
  held.lines.push_back(fmt::format("{}{}: {} workloads, largest error {:.3g} of its limit", where,
                                   board.baseline, right, worst));
}

}  // namespace

contest::Executables executables_of(const std::string& backend) {
  const std::filesystem::path folder = test::programs_dir();
  contest::Executables found = contest::executables(backend);
  found.judge = folder / found.judge.filename();
  found.worker = folder / found.worker.filename();
  return found;
}

std::string fault_of_honest(const std::string& who, const std::string& workload, const Said& said) {
  if (said.verdict != Verdict::right)
    return fmt::format("{} itself on {}: {}: {}", who, workload, said.verdict.word(), said.text);
  if (said.worst > honest_error)
    return fmt::format(
        "{} itself on {}: {}; expected {} of the limit or less: growth, and limits, may be halved", who,
        workload, said.text, honest_error);
  return "";
}

Held hold_baseline(const std::filesystem::path& folder, const std::string& backend, int ordinal,
                   bool sample) {
  std::vector<record::Entry> entries;
  contest::RunOptions options;
  options.rounds = 0;
  options.device = ordinal;
  contest::BoardRunner runner(executables_of(backend), options,
                              [&](const record::Entry& entry) { entries.push_back(entry); });
  const auto opened = runner.device();
  const std::string name = folder.filename();
  const auto problem = problem::load(folder / "problem.yaml");
  Held held;
  const auto baseline = problem.baseline.find(backend);
  if (baseline == problem.baseline.end()) {
    held.faults.push_back(name + ": found no baseline for " + backend + ", expected one");
    return held;
  }
  auto plan = contest::plan(
      {.problems = folder.parent_path(), .names = {name}, .contestants = {baseline->second}}, backend);
  const auto fits = [&](std::size_t choice) { return problem.choices[choice].ranks <= opened.most_ranks; };
  std::erase_if(plan.boards, [&](const auto& board) { return !fits(board.choice); });
  for (std::size_t choice = 0; choice < problem.choices.size(); ++choice)
    if (fits(choice) &&
        std::ranges::none_of(plan.boards, [&](const auto& board) { return board.choice == choice; }))
      held.faults.push_back(fmt::format("{}/{}: its baseline {} does not serve it", name,
                                        problem.choices[choice].name, baseline->second));
  if (sample && !plan.boards.empty())
    plan.boards = {plan.boards[test::part_of_today(plan.boards.size(), name, test::turn_days)]};
  compile::Builder builder(compile::read_toolchain(test::toolchain()), test::cache_dir());
  contest::build(plan, builder, backend, backend == "host" ? "" : protocol::get(opened.architecture),
                 nullptr);
  runner.run(plan.boards);
  for (const auto& fault : runner.faults()) held.faults.push_back(name + ": " + fault);
  for (const auto& board : plan.boards) judge(board, entries, held);
  return held;
}

}  // namespace podium::mistakes
