// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The checks of one verification: started beside the comparisons, reported when the device has answered.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "suite/judge/program_runner.hpp"
#include "suite/problem/checks/checks.hpp"

namespace podium::judge {

struct Outcome {
  bool right = true;
  double worst = 0;               // of a limit: the largest result over it
  std::string text;               // evidence; if right, where the largest result is, or ""
  std::int64_t examined = 0;      // elements or results
  std::set<std::size_t> outputs;  // that it looked at; index into instance.tensors
};

class Checking final : problem::CheckedElements {
 public:
  // `scans`: of each output, by tensor. All references outlive it.
  Checking(ProgramRunner& runner, std::uint64_t seed, std::uint8_t poison,
           const std::vector<Pending<program::Scan>>& scans);
  void start();                     // enqueues every check; references have been evaluated
  std::vector<Outcome> outcomes();  // after a synchronisation; synchronises for evidence

 private:
  struct Started {
    const problem::Check* check;
    Pending<program::Count> count;
    Pending<program::Multiset> here, there;
    Pending<program::Comparison> limit;
  };
  void start(Started& one);
  Outcome outcome(const Started& one);
  problem::WrongElements wrong_elements(const Started& one) const;
  std::string held(const Started& one, Outcome& outcome);
  std::size_t tensor_index(const std::string& name) const;
  const problem::TensorInstance& tensor(const std::string& name) const override;
  std::string name(const std::string& tensor, std::int64_t at) const override;
  std::string is(const std::string& tensor, std::int64_t at) const override;
  std::int64_t first_equal(const std::string& tensor, std::int64_t at) const override;
  std::string remark(const std::set<std::size_t>& outputs) const;

  ProgramRunner& runner_;
  const problem::Problem& problem_;
  std::uint64_t seed_;
  std::uint8_t poison_;
  const std::vector<Pending<program::Scan>>& scans_;
  std::vector<Started> started_;
};

// The outputs whose contestant's values reference `r` depends on.
std::set<std::size_t> outputs_behind(const problem::Problem& problem, std::size_t r);

}  // namespace podium::judge
