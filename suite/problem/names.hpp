// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The one namespace of a problem: axes, parameters, constants, types, tensors, indices and references.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/cursor.hpp"

namespace podium::problem {

bool is_keyword(std::string_view name);  // of C++

// Why `name` cannot name anything in generated code; "" if it can.
std::string fault_of_name(const std::string& name);

// The same for the name of a problem, which is a folder and a generated header.
std::string fault_of_problem_name(const std::string& name);

class Names {
 public:
  // Notes a mistake at `where` and returns false if the name is malformed, reserved or taken. `what` it
  // names: "axis", "tensor" … Indices may be declared again as indices.
  bool declare(const Cursor& where, const std::string& name, std::string_view what);
  std::string what_is(const std::string& name) const;  // "" if unknown
  std::vector<std::string> all(std::string_view what) const;

 private:
  struct Entry {
    std::string what;
    int line;
  };
  std::map<std::string, Entry> entries_;
};

}  // namespace podium::problem
