// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The one namespace of a problem: axes, parameters, constants, types, tensors, indices and references;
// and names that the preprocessor would replace in a contestant.
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/yaml/cursor.hpp"

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

  // A name that a part of the file which could not be read may declare, and one that was refused: what it
  // stands for is not known, and what follows from that is no mistake of its own.
  void doubt(const std::string& name) { doubtful_.insert(name); }
  // The names that a section of unknown meaning may declare: its keys, or what it lists.
  void doubt(const Cursor& section);
  // The same of one that declares names but is of the wrong kind; where it holds no names at all, it may have
  // been meant to declare any.
  void doubt_declared(const Cursor& section);
  bool doubtful(const std::string& name) const {
    return doubtful_.contains(name) || (any_ && !entries_.contains(name));
  }
  const std::set<std::string>& doubtful() const { return doubtful_; }
  bool any_doubtful() const { return any_; }
  bool mentions_doubtful(std::string_view text) const;  // a formula, a term or a `compute` text

 private:
  struct Entry {
    std::string what;
    int line;
  };
  std::map<std::string, Entry> entries_;
  std::set<std::string> doubtful_;
  bool any_ = false;
};

// Whether headers of C, C++, the system or a GPU's SDK may define a macro of this name: capitals alone, but
// for one letter and its number (N, K0), as is the custom of C; and those that do not keep to it.
bool may_be_macro(std::string_view name);

}  // namespace podium::problem
