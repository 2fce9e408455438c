// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The forms of references: their keys in the format, and what holds of every reference of a form. How a form
// is read, written and launched stands in parse/forms.cpp, generate/forms.cpp and
// suite/judge/program_runner.cpp.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

struct ReferenceForm {
  Reference::Form form;
  std::string name, holds, says;  // its key in the format
  bool body = false;              // its term is a function's body
  bool in_checks = false;         // general checks have it, too
  // Whether the magnitudes of what its terms call pass into its own: not into the order of elements, nor
  // through sequential algorithms, which assign plain numbers.
  bool carries_magnitude = true;
  // For each index, whether evaluating the form at one value of it takes the whole range; nullptr: none does.
  std::vector<bool> (*whole)(const Reference& reference) = nullptr;
  // What it does, in the format's words, before its term: "sum over j of"; nullptr: "".
  std::string (*does)(const Reference& reference) = nullptr;
};

const std::vector<ReferenceForm>& reference_forms();
const ReferenceForm& info(Reference::Form form);
std::string does(const Reference& reference);

// Whether a recurrence calls itself at other values of indices than the one it runs along, so that all lines
// must have finished a step before the next begins.
bool crosses_lines(const Reference& reference);

}  // namespace podium::problem
