// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The forms of references, a file each: their keys in the format, what holds of every reference of a form,
// and how the form is read, written and launched (form_stages.hpp).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/problem.hpp"
#include "suite/problem/yaml/cursor.hpp"

namespace podium::problem {

class FormReader;
class FormWriter;
class FormLaunch;

inline constexpr bool needed_key = true;

struct ReferenceForm {
  std::string name, holds, says;  // its key in the format
  std::string map_says = "";      // where that holds a map: of the map, and its keys
  std::string example = "";       // of a form that must be such a map
  std::vector<Key> keys = {};
  bool body = false;       // its term is a function's body
  bool in_checks = false;  // general checks have it, too
  bool reduces = false;    // op over its loops; the judge cuts long ones into parts
  bool joins = false;      // several terms by op in one element
  bool ranks = false;      // its last index is a rank, which is not known before the sort
  bool assigns = false;    // its term assigns the elements of `out`
  // Whether the magnitudes of what its terms call pass into its own: not into the order of elements, nor
  // through sequential algorithms, which assign plain numbers.
  bool carries_magnitude = true;
  // For each index, whether evaluating the form at one value of it takes the whole range; nullptr: none does.
  std::vector<bool> (*whole)(const Reference& reference) = nullptr;
  // What it does, in the format's words, before its term: "sum over j of"; nullptr: "".
  std::string (*does)(const Reference& reference) = nullptr;

  // A kernel podium_NAME_E, and the template of suite/problem/program behind it.
  struct Kernel {
    const char *name, *function;
    bool settles = false;  // of compensated sums alone
  };
  void (*read)(FormReader& reader, const Cursor& form) = nullptr;
  void (*write)(FormWriter& writer) = nullptr;  // nullptr: the writer of the judge's program does it
  std::vector<Kernel> kernels = {};
  std::vector<const char*> shared_kernels = {};  // podium_NAME, once in a program
  void (*launch)(FormLaunch& launch) = nullptr;  // nullptr: a thread an element
};

const std::vector<ReferenceForm>& reference_forms();
Reference plain_reference();  // of the first form, a term alone
std::vector<std::string> index_names(const std::vector<Index>& indices);
std::string loops_of(const Reference& reference);  // "i, j"
std::string along_of(const Reference& reference);
std::string does(const Reference& reference);

// Whether a recurrence calls itself at other values of indices than the one it runs along, so that all lines
// must have finished a step before the next begins.
bool crosses_lines(const Reference& reference);

}  // namespace podium::problem
