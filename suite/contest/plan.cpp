// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/base/nearest.hpp"
#include "suite/base/parallel.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/model/requirement.hpp"
#include "suite/problem/parse/parse.hpp"
#include "suite/record/provenance.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::contest {
namespace {

bool is_path(const std::string& contestant) {
  return contestant.find('/') != std::string::npos || contestant.find('.') != std::string::npos;
}

std::vector<std::filesystem::path> files_of(const problem::Problem& problem, const Selection& selection) {
  auto files = compile::problem_files(problem.file.parent_path());
  for (auto& file : files) {
    std::error_code nowhere;  // where a symbolic link leads
    if (const auto found = std::filesystem::canonical(file, nowhere); !nowhere) file = found;
  }
  std::vector<std::string> named = selection.contestants;
  named.insert(named.end(), selection.also.begin(), selection.also.end());
  for (const auto& contestant : named)
    if (is_path(contestant)) {
      if (!std::filesystem::is_regular_file(contestant))
        throw Error(fmt::format(
            "--contestant {}: there is no such file; give a contestant's name or the path of its file",
            contestant));
      files.push_back(std::filesystem::canonical(contestant));
    }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

void raise(const std::vector<std::string>& faults) {
  if (!faults.empty()) throw Error(fmt::format("{}", fmt::join(faults, "\n")));
}

// As it is asked for: also where its row is named after its file.
std::string name_in(const compile::Contestant& contestant) {
  return contestant.name.substr(0, contestant.name.find('.'));
}

bool chosen(const compile::Contestant& contestant, const Selection& selection, const std::string& baseline) {
  if (selection.contestants.empty() || (selection.baseline && contestant.name == baseline)) return true;
  return std::any_of(selection.contestants.begin(), selection.contestants.end(),
                     [&](const std::string& wanted) {
                       return is_path(wanted) ? std::filesystem::canonical(wanted) == contestant.file
                                              : wanted == name_in(contestant);
                     });
}

// A contestant's file as it is now, and the hash of it and of the code objects that it names.
void read_source(Entrant& entrant) {
  entrant.text = std::make_shared<const std::string>(text_of(entrant.contestant.file));
  std::string all = *entrant.text;
  if (const auto& manifest = entrant.contestant.manifest)
    for (const auto& code : manifest->code) all += text_of(code.file);
  entrant.sha256 = record::sha256(all);
}

void add_boards(Plan& plan, const problem::Problem& problem, const Selection& selection,
                const std::string& backend, std::set<std::string>& seen) {
  const auto contestants = compile::discover(problem, files_of(problem, selection), backend);
  std::map<const compile::Contestant*, Entrant> entrants;  // each source is read once for all boards
  const auto found = problem.baseline.find(backend);
  const std::string baseline = found == problem.baseline.end() ? "" : found->second;
  for (std::size_t choice = 0; choice < problem.choices.size(); ++choice) {
    BoardPlan board{.problem = &problem, .choice = choice, .baseline = baseline};
    std::vector<int> timed;
    for (std::size_t w = 0; w < problem.workloads.size(); ++w) {
      const auto& workload = problem.workloads[w];
      if (!on_board(workload, problem.choices[choice])) continue;
      if (workload.stage <= selection.verified) board.tests.push_back(static_cast<int>(w));
      if (workload.stage == selection.stage) timed.push_back(static_cast<int>(w));
    }
    for (const auto& contestant : contestants) {
      seen.insert(name_in(contestant));
      seen.insert(contestant.file.string());
      if (!serves(contestant, problem.choices[choice]) || !chosen(contestant, selection, baseline)) continue;
      const auto [known, first] = entrants.try_emplace(
          &contestant, Entrant{.contestant = contestant, .emulated = emulated(contestant, backend)});
      if (first) read_source(known->second);
      Entrant entrant = known->second;
      if (!contestant.fault.empty())
        entrant.product = {.status = compile::Product::Status::faulty, .message = contestant.fault};
      bool wanted = timed.empty();
      for (const int w : timed) {
        const auto& workload = problem.workloads[static_cast<std::size_t>(w)];
        if (!selection.matches(fmt::format("{}/{}/{}/{}", problem.name, problem.choices[choice].name,
                                           workload.name, contestant.name)))
          continue;
        wanted = true;
        if (!entrant.emulated) entrant.timed.push_back(w);
      }
      if (!wanted) continue;
      for (const int w : entrant.timed)
        if (std::find(board.timed.begin(), board.timed.end(), w) == board.timed.end())
          board.timed.push_back(w);
      board.entrants.push_back(std::move(entrant));
    }
    if (!board.entrants.empty()) plan.boards.push_back(std::move(board));
  }
}

// Of a problem's boards, from `first` on: that of f32, which every device computes with, or else the first.
void keep_one_choice(std::vector<BoardPlan>& boards, std::size_t first) {
  if (boards.size() <= first) return;
  const auto begin = boards.begin() + static_cast<std::ptrdiff_t>(first);
  const auto found = std::find_if(begin, boards.end(), [](const BoardPlan& board) {
    return board.problem->choices[board.choice].name == "f32";
  });
  if (found != boards.end()) std::iter_swap(begin, found);
  boards.resize(first + 1);
}

constexpr int look = 20;  // milliseconds

std::deque<std::filesystem::path> products(std::span<const BoardPlan> boards) {
  std::set<std::filesystem::path> all;
  for (const auto& board : boards) {
    all.insert(board.program);
    for (const auto& entrant : board.entrants) all.insert(entrant.product.file);
  }
  all.erase(std::filesystem::path());  // what was not built
  return {all.begin(), all.end()};
}

}  // namespace

Verdict verdict_of(compile::Product::Status status) {
  switch (status) {
    case compile::Product::Status::built:
      return Verdict::right;
    case compile::Product::Status::failed:
      return Verdict::did_not_compile;
    case compile::Product::Status::unavailable:
      return Verdict::missing_library;
    case compile::Product::Status::faulty:
      return Verdict::bad_file;
    case compile::Product::Status::unsuited:
      break;
  }
  return Verdict::unsupported;
}

Plan plan(const Selection& selection, const std::string& backend) {
  Plan plan;
  std::vector<std::string> there;
  if (!std::filesystem::is_directory(selection.problems))
    throw Error(fmt::format(
        "{}: there is no such folder; --problems names a folder whose sub-folders hold problem.yaml",
        selection.problems.string()));
  for (const auto& entry : std::filesystem::directory_iterator(selection.problems)) {
    std::error_code fault;
    if (std::filesystem::exists(entry.path() / "problem.yaml", fault))
      there.push_back(entry.path().filename().string());
    else if (fault && fault != std::errc::not_a_directory)
      plan.faults.push_back(fmt::format("{}: cannot be read: {}; make it a file that this user may read",
                                        (entry.path() / "problem.yaml").string(), fault.message()));
  }
  std::sort(there.begin(), there.end());
  if (there.empty())
    throw Error(
        fmt::format("{}: no sub-folder holds a problem.yaml; see CONTRIBUTING.md for how to add a problem",
                    selection.problems.string()));
  for (const auto& name : selection.names)
    if (std::find(there.begin(), there.end(), name) == there.end())
      throw Error(
          fmt::format("no such problem in {}: {}", selection.problems.string(), found_one_of(name, there)));
  std::set<std::string> seen;
  for (const auto& name : there) {
    if (!selection.names.empty() &&
        std::find(selection.names.begin(), selection.names.end(), name) == selection.names.end())
      continue;
    const auto problems = plan.problems.size(), boards = plan.boards.size();
    try {
      plan.problems.push_back(problem::load(selection.problems / name / "problem.yaml"));
      add_boards(plan, plan.problems.back(), selection, backend, seen);
      if (selection.one_choice) keep_one_choice(plan.boards, boards);
    } catch (const std::exception& e) {  // it costs this problem
      plan.faults.emplace_back(e.what());
      plan.boards.erase(plan.boards.begin() + static_cast<std::ptrdiff_t>(boards), plan.boards.end());
      plan.problems.erase(plan.problems.begin() + static_cast<std::ptrdiff_t>(problems), plan.problems.end());
    }
  }
  if (plan.boards.empty()) raise(plan.faults);
  for (const auto& wanted : selection.contestants)
    if (!is_path(wanted) && !seen.contains(wanted))
      throw Error(fmt::format("no such contestant for the {} backend: {}", backend,
                              found_one_of(wanted, {seen.begin(), seen.end()})));
  for (const auto& wanted : selection.contestants)
    if (is_path(wanted) && !seen.contains(std::filesystem::canonical(wanted).string()))
      throw Error(fmt::format(
          "--contestant {}: no contestant for the {} backend; expected a file whose suffix runs there "
          "and whose comments hold a `podium:` block",
          wanted, backend));
  return plan;
}

std::vector<std::string> names(const Plan& plan) {
  std::vector<std::string> all;
  for (const auto& board : plan.boards)
    for (const int w : board.timed)
      for (const auto& entrant : board.entrants)
        if (std::find(entrant.timed.begin(), entrant.timed.end(), w) != entrant.timed.end())
          all.push_back(fmt::format(
              "{}/{}/{}/{}", board.problem->name, board.problem->choices[board.choice].name,
              board.problem->workloads[static_cast<std::size_t>(w)].name, entrant.contestant.name));
  return all;
}

void note_unmet(std::span<BoardPlan> boards, const std::string& backend, const std::string& arch,
                int most_ranks) {
  for (auto& board : boards) {
    board.unmet = problem::unmet(*board.problem, backend, arch);
    if (const int ranks = ranks_of(board); board.unmet.empty() && ranks > most_ranks)
      board.unmet = fmt::format("{} ranks need as many {}, and there are {} from this one on", ranks,
                                backend_named(backend).gpu ? "devices that reach each other" : "processors",
                                most_ranks);
  }
}

std::vector<std::string> build(std::span<BoardPlan> boards, compile::Builder& builder,
                               const std::string& backend, const std::string& arch,
                               const compile::Progress& progress) {
  std::vector<std::pair<BoardPlan*, std::size_t>> programs, references;
  std::vector<std::pair<Entrant*, std::size_t>> plugins;
  for (auto& board : boards) {
    const auto& choice = board.problem->choices[board.choice];
    if (!board.unmet.empty()) {
      for (auto& entrant : board.entrants)
        entrant.product = {.status = compile::Product::Status::unsuited, .message = board.unmet};
      continue;
    }
    programs.emplace_back(&board, builder.add_program(*board.problem, choice, backend, arch));
    if (board.problem->python)
      references.emplace_back(&board, builder.add_reference(*board.problem, choice, backend));
    for (auto& entrant : board.entrants) read_source(entrant);
    for (auto& entrant : board.entrants)
      if (entrant.contestant.fault.empty())
        plugins.emplace_back(&entrant,
                             builder.add(*board.problem, choice, entrant.contestant, backend, arch));
  }
  const auto products = builder.run(progress);
  std::vector<std::string> faults;
  for (const auto& [board, index] : programs) {
    const auto& product = products.at(index);
    board->broken = product.status != compile::Product::Status::built;
    if (board->broken)
      faults.push_back(product.message);
    else
      board->program = product.file;
  }
  for (const auto& [board, index] : references) {
    const auto& product = products.at(index);
    if (product.status != compile::Product::Status::built && !board->broken)
      faults.push_back(product.message);
    board->broken = board->broken || product.status != compile::Product::Status::built;
    board->reference = product;
  }
  for (const auto& [entrant, index] : plugins) entrant->product = products.at(index);
  return faults;
}

void build(Plan& plan, compile::Builder& builder, const std::string& backend, const std::string& arch,
           const compile::Progress& progress) {
  note_unmet(plan.boards, backend, arch);
  auto faults = build(std::span(plan.boards), builder, backend, arch, progress);
  std::ranges::move(faults, std::back_inserter(plan.faults));
  std::erase_if(plan.boards, [](const BoardPlan& board) { return board.broken; });
  if (plan.boards.empty()) raise(plan.faults);
}

void prepare(std::span<const BoardPlan> boards, const Executables& executables,
             const std::function<void(int, int)>& progress) {
  if (executables.prepare.empty()) return;
  auto waiting = products(boards);
  const auto total = static_cast<int>(waiting.size());
  std::vector<sandbox::Child> running;
  for (int done = 0; done < total;) {
    while (!waiting.empty() && running.size() < static_cast<std::size_t>(processors())) {
      running.emplace_back(sandbox::Start{.program = executables.prepare,
                                          .arguments = {waiting.front().string()},
                                          .descriptors = {},
                                          .environment = executables.environment,
                                          .output = -1,
                                          .sandbox = {}});
      waiting.pop_front();
    }
    running.front().ended(look);
    std::erase_if(running, [&](sandbox::Child& child) {
      if (!child.ended(0)) return false;
      ++done;
      return true;
    });
    progress(done, total);
  }
}

}  // namespace podium::contest
