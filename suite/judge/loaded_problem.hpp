// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a judge has for one problem and one choice of its types.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "suite/judge/clock_probe.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/judge/workloads.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::judge {

struct LoadedProblem {
  problem::Problem problem;
  const problem::Choice* choice = nullptr;
  std::unique_ptr<device::Program> program;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<ClockProbe> clock;
  std::unique_ptr<device::Arena> arena;  // none until make_arena()
  std::unique_ptr<device::Memory> kept;  // outputs of calls behind one gate; none: no room
  std::unique_ptr<Workloads> workloads;
};

// From the problem's text and the judge's program. Throws podium::Error.
std::unique_ptr<LoadedProblem> load_problem(device::Device& device, const protocol::LoadProblem& request,
                                            int text, int program);

// Makes the workloads of these indices known, and an arena for the largest of them, with room for several
// calls at a time of those with small tensors. Throws podium::Error naming the workload that does not fit.
void make_arena(device::Device& device, LoadedProblem& loaded, std::span<const std::int32_t> workloads);

}  // namespace podium::judge
