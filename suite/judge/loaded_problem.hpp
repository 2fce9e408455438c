// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a judge has for one problem and one choice of its types: its program, its arena and its workloads,
// each with the structure of one round at a time.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "suite/judge/evaluator.hpp"
#include "suite/judge/meters.hpp"
#include "suite/judge/packed_structure.hpp"
#include "suite/judge/seeds.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/model/problem.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::judge {

class Workloads {
 public:
  // All outlive this.
  Workloads(device::Device& device, const problem::Problem& problem, const problem::Choice& choice)
      : device_(device), problem_(problem), choice_(choice) {}

  // Makes the workload of that index in the file known; its structure is not computed yet.
  const problem::Instance& add(int index);

  // With the structure of the round: the same for all contestants, whatever their own seeds. Its address
  // stays; its numbers are those of the round that was asked for last.
  // `seed`: of a structure that is to be repeated, in place of the round's; 0: that.
  const problem::Instance& of_round(int index, std::int64_t round, const Secret& secret,
                                    std::uint64_t seed = 0);
  std::uint64_t seed(int index) const { return known_.at(index).seed; }  // of that; 0: it has no structure

  // Of that instance; made when it is first asked for.
  std::shared_ptr<const PackedStructure> structure(int index);

 private:
  struct Known {
    problem::Instance instance;
    bool drawn = false;
    std::int64_t round = 0;
    std::uint64_t seed = 0;
    std::shared_ptr<const PackedStructure> packed;
  };
  device::Device& device_;
  const problem::Problem& problem_;
  const problem::Choice& choice_;
  std::map<int, Known> known_;
};

struct LoadedProblem {
  problem::Problem problem;
  const problem::Choice* choice = nullptr;
  std::unique_ptr<device::Program> program;
  std::unique_ptr<Evaluator> evaluator;
  std::unique_ptr<ClockProbe> clock;
  // A rank's; of one device there is one, and no memory that others reach.
  struct Rank {
    device::Device* device;
    int ordinal;
    std::unique_ptr<device::Arena> arena, symmetric;
  };
  std::vector<Rank> ranks;               // with no arenas until make_arenas()
  std::unique_ptr<device::Memory> kept;  // outputs of calls behind one gate; none: no room
  std::unique_ptr<Workloads> workloads;
};

// From the problem's text and the judge's program. Throws podium::Error.
std::unique_ptr<LoadedProblem> load_problem(device::Device& device, const protocol::LoadProblem& request,
                                            int text, int program);

// Makes the workloads of these indices known, and an arena for the largest of them on the device of each
// rank; where there is one, with room for several calls at a time of those with small tensors. Throws
// podium::Error naming the workload that does not fit.
void make_arenas(device::Device& device, LoadedProblem& loaded, std::span<const std::int32_t> workloads);

}  // namespace podium::judge
