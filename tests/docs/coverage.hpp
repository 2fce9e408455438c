// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a problem uses of the format: keys, words and functions, found by walking its YAML with the format's
// own table (suite/problem/yaml/format.hpp).
#pragma once
#include <set>
#include <string>
#include <vector>

namespace podium::docs {

struct Coverage {
  std::set<std::string> keys;   // "tolerance.ulp": a form and a key of it
  std::set<std::string> words;  // "op.sum", "dtype.f32": a word list, or dtype, and a word
  std::set<std::string>
      formulas;                 // called or named in formulas: "ceil_div", "infinity"; "sum()" over structure
  std::set<std::string> terms;  // in C++ terms and bodies
  std::set<std::string> fills;  // in fills by `value`
  std::set<std::string> compute;  // in texts of structure: "segment", "random.below", "while", "+="

  void add(const std::string& yaml);  // of a whole problem
};

}  // namespace podium::docs
