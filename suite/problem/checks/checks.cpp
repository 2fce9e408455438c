// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the format, the parser and the instances make of the table of built-in checks.
#include "suite/problem/checks/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace podium::problem {

std::vector<std::string> names_of_checks() {
  std::vector<std::string> names;
  for (const BuiltinCheck& builtin : builtin_checks()) names.push_back(builtin.name);
  return names;
}

std::vector<Key> keys_of_checks() {
  std::vector<Key> keys;
  for (const BuiltinCheck& builtin : builtin_checks())
    keys.push_back({builtin.name, builtin.holds, builtin.says});
  for (const BuiltinCheck& builtin : builtin_checks())
    keys.insert(keys.end(), builtin.options.begin(), builtin.options.end());
  return keys;
}

std::vector<Words> words_of_checks() {
  std::vector<Words> lists;
  for (const BuiltinCheck& builtin : builtin_checks())
    lists.insert(lists.end(), builtin.words.begin(), builtin.words.end());
  return lists;
}

bool parse_builtin(const CheckReader& reader, const Cursor& cursor, Check& check) {
  for (const BuiltinCheck& builtin : builtin_checks()) {
    if (!cursor.find(builtin.name)) continue;
    if (check.builtin) {
      cursor.mistake(fmt::format("found both {} and {}, expected one; give each a name of its own",
                                 check.builtin->name, builtin.name));
      return true;
    }
    check.builtin = &builtin;
  }
  if (!check.builtin) return false;
  for (const BuiltinCheck& builtin : builtin_checks())
    for (const Key& option : builtin.options)
      if (&builtin != check.builtin && cursor.find(option.name))
        cursor.mistake(fmt::format("found {} beside {}, expected it beside {}", option.name,
                                   check.builtin->name, builtin.name));
  check.builtin->parse(reader, cursor, *cursor.find(check.builtin->name), check);
  return true;
}

std::string fault_of_check(const Check& check, const std::vector<TensorInstance>& tensors) {
  if (!check.builtin || !check.builtin->fault) return "";
  return check.builtin->fault(check, [&](const std::string& name) -> const TensorInstance& {
    return *std::find_if(tensors.begin(), tensors.end(),
                         [&](const TensorInstance& tensor) { return tensor.name == name; });
  });
}

}  // namespace podium::problem
