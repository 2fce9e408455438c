// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The formula language of shapes, costs, growth and conditions: real arithmetic over named numbers.
//   + - * / % ( ) == != < <= > >= && || ?:   and the functions of formula_functions().
// % is C++'s and for whole numbers alone: the remainder has the sign of the dividend.
// Also eps(dtype) and size(dtype), where a dtype is a name such as f16 or a key of the problem's `types`.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/dtype.hpp"

namespace podium::problem {

struct StructureInstance;  // model/instance.hpp

struct Scope {
  std::map<std::string, double, std::less<>> numbers;  // axes, constants, parameters
  std::map<std::string, Dtype, std::less<>> types;     // keys of `types` on one board
  // Named in length(b), with whole indices, and in sum(length), max(length), min(length), which are over the
  // part in use. `trial` ones have no numbers yet: each is 1.
  std::map<std::string, const StructureInstance*, std::less<>> structure;
  bool trial = false;
};

// The functions that take numbers, sorted: not eps and size of a dtype, nor those of structure.
const std::vector<std::string>& formula_functions();

// Names of numbers that `formula` uses, each once, in order. Never fails.
std::vector<std::string> names_in(std::string_view formula);

// Names of structure that `formula` uses.
std::vector<std::string> structure_in(std::string_view formula, const Scope& scope);

// The value of `formula`; may be infinite or NaN (a division by zero). Throws podium::Error: a sentence
// without place - "found …, expected …" - if it is malformed or uses an unknown name, or where a remainder
// has no value (not of a `trial` scope).
double evaluate(std::string_view formula, const Scope& scope);

}  // namespace podium::problem
