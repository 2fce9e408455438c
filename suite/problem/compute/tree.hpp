// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a `compute` text is read into: nodes that refer to each other by number. The functions that it
// may call, and which of its loops have turns that need nothing of each other. Internal to Compute.
#pragma once
#include <cstdint>
#include <map>
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

enum class ComputeResult { real, whole, common };  // common: real if an argument is

struct ComputeFunction {
  ComputeNode::Kind kind;
  int least, most;  // arguments
  ComputeResult result;
  int structures = 0;  // the first arguments that are names of structure
};

const std::map<std::string, ComputeFunction>& compute_number_functions();
const std::map<std::string, ComputeFunction>& compute_random_functions();  // behind "random."

// Turns of such a loop draw from sequences of random numbers of their own, one for so many turns: long enough
// that a thread is busy with them, short enough that a million rows keep all threads busy.
inline constexpr std::int64_t turns_a_sequence = 1024;

// Whether each turn of `loop`, a Kind::repeat, computes from nothing but its number, and writes elements of
// its own: no name from outside gets a value, `out` is not read, every out(i + c, …) has the same c, and the
// loop cannot be left early. That several random.ascending write elements of their own is seen only when it
// runs.
bool turns_apart(const ComputeTree& tree, const ComputeNode& loop);

}  // namespace podium::problem
