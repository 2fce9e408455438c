// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Holds what is read against the forms of schema.hpp: a damaged value is told, not computed with.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/record/schema.hpp"

namespace podium::record {

class Validator {
 public:
  // `forms`: the first is that of the objects to be checked.
  explicit Validator(const std::vector<FormOf>& forms);
  ~Validator();

  // Throws podium::Error: which field, what it holds, what was expected, what to do. Fields that no form
  // names may hold anything: a newer Podium wrote them. Absent ones are the reader's affair.
  void check(const nlohmann::json& object) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// For the end of a sentence about a file that cannot be what was written.
inline constexpr const char* what_to_do_about_damage =
    "the file was damaged or changed: restore it from a copy, or leave it out";

}  // namespace podium::record
