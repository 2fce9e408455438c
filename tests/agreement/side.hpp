// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One problem with one choice of types on one device, for comparisons of two.
#pragma once
#include <memory>
#include <vector>

#include "suite/device/device.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "tests/judge/recorded.hpp"

namespace podium::agreement {

class Side {
 public:
  // All references outlive it; `kinds`: of this problem's program.
  Side(device::Device& device, std::unique_ptr<device::Program> program, const problem::Problem& problem,
       const problem::Choice& choice, judge::Kinds kinds)
      : device_(device),
        program_(std::move(program)),
        recorded_(*program_),
        problem_(problem),
        choice_(choice),
        plan_(problem),
        kinds_(std::move(kinds)),
        evaluator_(device, recorded_, problem, choice) {}

  const problem::Problem& problem() const { return problem_; }
  const problem::Choice& choice() const { return choice_; }
  const problem::Plan& plan() const { return plan_; }
  const problem::Instance& instance() const { return instance_; }
  device::Device& device() { return device_; }
  judge::Evaluator& evaluator() { return evaluator_; }

  // Ready, with inputs drawn; the references that drew them.
  std::vector<judge::Evaluated> fill(const problem::Workload& workload, std::uint64_t structure_seed,
                                     bool full, std::uint64_t seed) {
    instance_ = problem::instantiate(problem_, choice_, workload, structure_seed);
    evaluator_.begin(instance_, full);
    recorded_.forget();
    evaluator_.fill(seed);
    return references(true);
  }
  std::vector<std::byte> input(std::size_t t) {
    std::vector<std::byte> copy(static_cast<std::size_t>(instance_.tensors[t].bytes));
    device_.copy(copy.data(), evaluator_.input(t), copy.size());
    device_.synchronise();
    return copy;
  }
  // What the judge says of outputs of which every byte is `byte`.
  judge::Finding verify(std::uint8_t byte, std::uint64_t seed, std::uint8_t poison) {
    for (std::size_t t = 0; t < instance_.tensors.size(); ++t)
      if (instance_.tensors[t].role != problem::Role::input)
        device_.set(evaluator_.output(t), byte, static_cast<std::size_t>(instance_.tensors[t].bytes));
    recorded_.forget();
    return evaluator_.verify(seed, poison);
  }
  // Those that it took.
  std::vector<judge::Evaluated> references(bool fills = false) {
    return read_references(device_, recorded_, problem_, plan_, kinds_, fills);
  }

 private:
  device::Device& device_;
  std::unique_ptr<device::Program> program_;
  judge::Recorded recorded_;
  const problem::Problem& problem_;
  const problem::Choice& choice_;
  problem::Plan plan_;
  judge::Kinds kinds_;
  judge::Evaluator evaluator_;
  problem::Instance instance_;
};

}  // namespace podium::agreement
