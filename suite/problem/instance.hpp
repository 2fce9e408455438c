// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A workload on one board: every formula evaluated, plain numbers only.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/problem/formula.hpp"
#include "suite/problem/problem.hpp"

namespace podium::problem {

struct TensorInstance {
  std::string name;
  Role role = Role::input;
  Dtype dtype = Dtype::f32;
  std::vector<std::int64_t> extents;
  std::int64_t elements = 1;
  Layout layout = Layout::row_major;
  std::vector<std::int64_t> strides;  // Layout::strided: in elements
  std::int64_t storage = 1;           // elements that memory has room for: with padding
  std::int64_t bytes = 0;             // of memory: with padding
  std::int64_t content = 0;           // bytes of the elements alone
  Fill::Kind fill = Fill::Kind::zeros;
  double fill_first = 0, fill_second = 0;
  std::int64_t fill_row = 0;    // permutation: its length
  std::size_t fill_number = 0;  // value: which of value_fills() (generate_fill.hpp)
};

struct Instance {
  std::string workload;  // its name
  Stage stage = Stage::test;
  std::vector<std::int64_t> axes;       // in the order of the file, computed ones included
  std::vector<double> parameters;       // in the order of the file
  std::vector<TensorInstance> tensors;  // in the order of the file
  double bytes = 0;  // least traffic: inputs read once, outputs written once, no padding; or as stated
  double flops = 0;  // 0: not stated
};

// Evaluates `workload` for `choice`. Throws podium::Error with file and line: a shape that is not whole,
// negative or of 2^53 bytes or more, a condition that does not hold, a cyclic formula.
Instance instantiate(const Problem& problem, const Choice& choice, const Workload& workload);

// Whether `workload` belongs to the board of `choice`.
bool on_board(const Workload& workload, const Choice& choice);

// The numbers and types that the formulas of an instance may use.
Scope scope_of(const Problem& problem, const Instance& instance);

// Evaluates one formula over the numbers of an instance: contestants' `when`, tests. Throws podium::Error.
double evaluate(const Problem& problem, const Instance& instance, const Text& formula);

}  // namespace podium::problem
