// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a `compute` text is read into: nodes that refer to each other by number. Internal to Compute.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/compute/compute.hpp"

namespace podium::problem {

struct ComputeNode {
  enum class Kind {
    // expressions
    whole,
    real,
    number,
    local,
    element,
    out,
    negative,
    not_,
    add,
    subtract,
    multiply,
    divide,
    remainder,
    less,
    less_equal,
    equal,
    not_equal,
    both,
    either,
    choose,
    absolute,
    minimum,
    maximum,
    floor,
    ceil,
    ceil_div,
    sqrt,
    exp,
    log,
    log2,
    pow,
    sum_of,
    minimum_of,
    maximum_of,
    segment,
    below,
    uniform,
    normal,
    zipf,
    // statements
    block,
    set_local,
    set_out,
    repeat,
    while_,
    if_,
    permutation,
    ascending,
    break_,
    continue_
  };
  Kind kind = Kind::whole;
  bool is_real = false;       // of an expression
  int line = 0;               // in the file
  std::vector<int> children;  // nodes: operands, indices, parts of a statement
  int slot = -1;              // number, local, element: which one
  std::int64_t whole = 0;
  double real = 0;
};

struct ComputeLocal {
  std::string name;
  bool is_real = false;
};

struct ComputeTree {
  Text text;
  std::vector<ComputeNode> nodes;
  int root = -1;
  std::vector<ComputeLocal> locals;     // one slot a declaration
  std::vector<std::string> numbers;     // slots of Kind::number
  std::vector<std::string> structures;  // slots of Kind::element and of functions over structure

  [[noreturn]] void refuse(int line, const std::string& sentence) const {
    throw ComputeError({text.at.file, line}, sentence);
  }
};

}  // namespace podium::problem
