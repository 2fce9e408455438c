// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Who competes where: problems, boards, workloads and contestants, chosen, built and prepared.
#pragma once
#include <deque>
#include <filesystem>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "suite/compile/builder.hpp"
#include "suite/contest/board_plan.hpp"
#include "suite/contest/processes.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::contest {

// What the user asked for; empty lists mean all.
struct Selection {
  std::filesystem::path problems;        // folder of problem folders
  std::vector<std::string> names;        // of problems
  std::vector<std::string> contestants;  // names, or paths of files anywhere
  std::vector<std::string> also;         // paths of contestants that come along whatever `contestants` says
  bool baseline = true;                  // comes along even if `contestants` does not name it
  problem::Stage stage = problem::Stage::quick;    // the workloads that are timed
  problem::Stage verified = problem::Stage::test;  // workloads of stages up to it are verified
  bool one_choice = false;  // of types of each problem: f32, or the first that anybody enters
  std::function<bool(const std::string&)> matches = [](const std::string&) {
    return true;
  };  // problem/types/workload/contestant
};

struct Plan {
  std::deque<problem::Problem> problems;  // addresses are stable
  std::vector<BoardPlan> boards;
  std::vector<std::string> faults;  // of problems that are left out, a sentence each
};

// Reads problems and contestants for `backend`; nothing is built. Throws podium::Error: an unknown name with
// the nearest one; mistakes in the file of every problem, else these are `faults`.
Plan plan(const Selection& selection, const std::string& backend);

// problem/types/workload/contestant of all that the plan times, in order.
std::vector<std::string> names(const Plan& plan);

// Notes of each board why the device does not run its problem, if so. `most_ranks`: of a group that begins
// with it.
void note_unmet(std::span<BoardPlan> boards, const std::string& backend, const std::string& arch,
                int most_ranks = protocol::max_ranks);

// Builds contestants and judge's programs for `arch` ("" on the host) and puts the products into `boards`. A
// board whose judge's program does not compile is broken; returns a sentence for each.
std::vector<std::string> build(std::span<BoardPlan> boards, compile::Builder& builder,
                               const std::string& backend, const std::string& arch,
                               const compile::Progress& progress);

// Both of a whole plan: broken boards are left out, and their problems at fault. Throws podium::Error if
// no other is left.
void build(Plan& plan, compile::Builder& builder, const std::string& backend, const std::string& arch,
           const compile::Progress& progress);

// What an emulated device wants to be done with code before it runs: translation, which takes seconds that no
// judge or contestant should be given. Runs `executables.prepare`, if there is one, on the judge's programs
// and plugins of `boards`, several at a time. What cannot be prepared is left: whoever uses it is told why.
// `progress` gets what is done, and how much there is.
void prepare(std::span<const BoardPlan> boards, const Executables& executables,
             const std::function<void(int, int)>& progress);

}  // namespace podium::contest
