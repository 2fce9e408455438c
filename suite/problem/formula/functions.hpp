// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which functions and operators each language of a problem file has: formulas, `compute`, fills by `value`,
// and terms, which are C++. Each reader takes its names and numbers of arguments from here; docs/problem.md
// prints it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium::problem {

enum class Language { formula, compute, fill, term };

struct Arguments {
  int least = 1, most = 1;
};
inline constexpr int any_number = 1000;  // of arguments: as many as fit

struct Function {
  std::string name, says;
  // Where it is not, nothing.
  std::optional<Arguments> formula = {}, compute = {}, fill = {}, term = {};
  bool of_structure = false;  // its argument is the name of structure

  const std::optional<Arguments>& in(Language language) const {
    switch (language) {
      case Language::formula:
        return formula;
      case Language::compute:
        return compute;
      case Language::fill:
        return fill;
      case Language::term:
        break;
    }
    return term;
  }
};
const std::vector<Function>& functions();  // sorted by name
std::vector<std::string> functions_of(Language language);
Arguments arguments_of(Language language,
                       std::string_view function);  // throws std::logic_error if it has none

struct Operator {
  std::string symbol, says;
  std::vector<Language> languages;
};
const std::vector<Operator>& operators();
bool has_operator(Language language, std::string_view symbol);

}  // namespace podium::problem
