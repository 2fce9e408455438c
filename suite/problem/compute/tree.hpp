// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a `compute` text is read into: nodes that refer to each other by number. Internal to Compute.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/expressions.hpp"

namespace podium::problem {

using ComputeNode = ExpressionNode;

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
