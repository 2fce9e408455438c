// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The workloads of a board, each with the structure of one round at a time.
#pragma once
#include <map>
#include <memory>

#include "suite/judge/packed_structure.hpp"
#include "suite/judge/seeds.hpp"
#include "suite/problem/model/instance.hpp"

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

}  // namespace podium::judge
