// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A workload on one board: every formula evaluated, plain numbers only.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/problem/problem.hpp"

namespace podium::problem {

struct TensorInstance {
  std::string name;
  Role role = Role::input;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> extents;
  std::int64_t elements = 1;
  std::int64_t bytes = 0;
  Fill::Kind fill = Fill::Kind::zeros;
  double fill_first = 0, fill_second = 0;
};

struct Instance {
  std::string workload;  // its name
  Stage stage = Stage::test;
  std::vector<std::int64_t> axes;       // in the order of the file, computed ones included
  std::vector<double> parameters;       // in the order of the file
  std::vector<TensorInstance> tensors;  // in the order of the file
  double bytes = 0;  // least traffic: inputs read once, outputs written once, inouts both, or as stated
  double flops = 0;  // 0: not stated
};

// Evaluates `workload` for `choice`. Throws podium::Error with file and line: a shape that is not whole,
// negative or of 2^53 bytes or more, a condition that does not hold, a cyclic formula.
Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload);

// Whether `workload` belongs to the board of `choice`.
bool on_board(const Workload& workload, const Choice& choice);

// Evaluates one formula over the numbers of an instance: contestants' `when`, tests. Throws podium::Error.
double evaluate(const Problem& problem, const Instance& instance, const Text& formula);

}  // namespace podium::problem
