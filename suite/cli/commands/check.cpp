// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium check`: reads problem files, compiles what they turn into for the host, and evaluates their
// references.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <sstream>

#include "suite/base/backend.hpp"
#include "suite/base/counted.hpp"
#include "suite/cli/against.hpp"
#include "suite/cli/check.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/builder.hpp"
#include "suite/contest/session.hpp"
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"

namespace podium::cli {
namespace {

struct Request {
  std::vector<std::filesystem::path> files;
  bool measure = false, references = false;
  std::string device, workload;
  std::filesystem::path against;
};

constexpr std::chrono::seconds time_limit{20};  // for one workload

// One error for all boards; what is wrong in one place on several is said of the first of them.
void refuse_unbuilt(const std::vector<compile::Product>& products) {
  std::string wrong;
  std::set<std::string> places;  // "problem.yaml:7: reference.y.value"
  for (const auto& product : products) {
    if (product.status == compile::Product::Status::built) continue;
    std::istringstream sentences(product.message);
    for (std::string line; std::getline(sentences, line);) {
      const auto key = line.find(": ");
      if (places.insert(line.substr(0, line.find(": ", std::min(key, line.size() - 1) + 1))).second)
        wrong += (wrong.empty() ? "" : "\n") + line;
    }
  }
  if (!wrong.empty()) throw Error(wrong);
}

// What nothing calls is not compiled: a mistake in it would never show.
void refuse_unused(const problem::Problem& problem) {
  const problem::Plan plan(problem);
  std::vector<bool> used(problem.references.size(), false);
  for (const auto& evaluation : plan.evaluations()) used[evaluation.reference] = true;
  std::string unused;
  for (std::size_t r = 0; r < used.size(); ++r)
    if (const auto& reference = problem.references[r]; !used[r])
      unused += fmt::format(
          "{}{}:{}: reference.{}: found a reference that nothing uses, expected an output, a check, a fill "
          "or "
          "another reference that calls it; leave it out",
          unused.empty() ? "" : "\n", reference.at.file, reference.at.line, reference.name);
  if (!unused.empty()) throw Error(unused);
}

// What is drawn anew each round may break a condition, a range or a shape only now and then.
void try_rounds(const problem::Problem& problem) {
  constexpr std::uint64_t rounds = 100;
  constexpr std::chrono::seconds time_budget{2};
  if (problem.structure.empty()) return;
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t seed = 1; seed <= rounds; ++seed)
    for (const auto& workload : problem.workloads) {
      if (workload.stage != problem::Stage::test) continue;
      if (std::chrono::steady_clock::now() - began > time_budget) return;
      for (const auto& choice : problem.choices)
        if (on_board(workload, choice)) {
          instantiate(problem, choice, workload, seed);
          break;  // the same numbers on all boards
        }
    }
}

void check(const std::filesystem::path& file, const std::string& wanted) {
  const auto path = std::filesystem::is_directory(file) ? file / "problem.yaml" : file;
  const problem::Problem problem = problem::load(path);
  require_workload(problem, wanted);
  try_rounds(problem);
  compile::Builder builder(compile::read_toolchain(toolchain_file()), compile::default_cache());
  for (const auto& choice : problem.choices)
    builder.add_program(problem, choice, processor_backend().name, "");
  if (problem.python)
    for (const auto& choice : problem.choices)
      builder.add_reference(problem, choice, processor_backend().name);
  const auto products = builder.run();
  refuse_unbuilt(products);
  refuse_unused(problem);

  contest::Session session(contest::executables(processor_backend().name), 0, {.judge = time_limit});
  std::vector<SensedWorkload> sensed;
  int rehearsed = 0;
  for (std::size_t choice = 0; choice < problem.choices.size(); ++choice) {
    session.load(problem, choice, products[choice].file, reference_among(products, problem, choice));
    const std::vector<int> tests =
        workloads_to_check(problem, problem.choices[choice], wanted, {problem::Stage::test});
    if (tests.empty()) continue;
    session.board(tests);
    std::vector<int> large;
    for (const int w :
         workloads_to_check(problem, problem.choices[choice], wanted,
                            {problem::Stage::test, problem::Stage::quick, problem::Stage::bench}))
      try {
        if (std::ranges::find(tests, w) != tests.end()) session.rehearse(w), ++rehearsed;
        if (const protocol::Sensed found = session.sense(w); found.measured != 0)
          sensed.push_back({choice, w, found});
        else
          large.push_back(w);
      } catch (const contest::DeviceLost&) {
        const auto& workload = problem.workloads[static_cast<std::size_t>(w)];
        throw Error(fmt::format(
            "{}:{}: the references of workload {} ended the judge or took more than {} s, expected a few "
            "seconds; use small test workloads, loops bounded by axes, and divisors that are not zero",
            workload.at.file, workload.at.line, workload.name, time_limit.count()));
      }
    estimate(problem, choice, large, sensed);
  }
  refuse_insensitive(problem, sensed);
  fmt::print("{}: valid; {}, {}, references evaluated on {}\n", path.string(),
             counted(problem.choices.size(), "board"), counted(problem.workloads.size(), "workload"),
             wanted.empty() ? counted(rehearsed, "test workload") : "workload " + wanted);
  if (!sensed.empty()) print_sensitivity(problem, sensed);
}

// A path, or a name among Podium's own problems.
std::filesystem::path named(const std::filesystem::path& problem) {
  if (std::filesystem::exists(problem)) return problem;
  const auto own = problems_folder() / problem;
  return std::filesystem::exists(own) ? own : problem;
}

Exit check(const Request& request) {
  if (!request.measure && !request.device.empty())
    throw Error("check: found --device without --measure, expected both");
  if (!request.measure && request.references)
    throw Error("check: found --references without --measure, expected both");
  if (!request.against.empty()) {
    if (request.measure || request.files.size() != 1)
      throw Error("check: --against compares one problem with another, and measures nothing");
    return check_against(named(request.files.front()), named(request.against));
  }
  for (const auto& file : request.files) check(file, request.workload);
  if (!request.measure) return Exit::success;
  return check_measure(request.files, request.device, request.references, request.workload);
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  app.add_option("file", request->files, "A problem.yaml, or the folder that holds it")->required();
  app.add_flag("--measure", request->measure,
               "Measure the cost of fills, samples and full verification; fail if a sample takes more than "
               "50 ms on a GPU");
  app.add_option("--device", request->device,
                 "With --measure: host, cuda:0, ...; default: the best device present");
  app.add_option(
      "--against", request->against,
      "Compare the problem with this one, whose reference is Python: on common workloads each judges "
      "the other's answer");
  app.add_option("--workload", request->workload, "Only this workload, of any stage: NAME or TYPES/NAME");
  app.add_flag("--references", request->references, "With --measure: also show the time of each reference");
  return [request] { return check(*request); };
}

const Registered registered(
    {.name = "check", .summary = "Check problem files", .place = 50, .declare = declare});

}  // namespace
}  // namespace podium::cli
