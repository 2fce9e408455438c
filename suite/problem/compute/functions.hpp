// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The functions of the `compute` language. Internal to Compute.
#pragma once
#include <map>
#include <string>

#include "suite/problem/compute/tree.hpp"

namespace podium::problem {

enum class ComputeResult { real, whole, common };  // common: real if an argument is

struct ComputeFunction {
  ComputeNode::Kind kind;
  int least, most;  // arguments
  ComputeResult result;
  int structures = 0;  // the first arguments that are names of structure
};

const std::map<std::string, ComputeFunction>& compute_number_functions();
const std::map<std::string, ComputeFunction>& compute_random_functions();  // behind "random."

}  // namespace podium::problem
