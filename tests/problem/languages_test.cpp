// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of functions and operators: docs/problem.md prints it, and each language has just what it says.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "suite/base/error.hpp"
#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/functions.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/model/instance.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

using ::testing::HasSubstr;

constexpr std::array languages{Language::formula, Language::compute, Language::fill, Language::term};

std::string page() {
  std::ifstream in(test::source_dir() + "/docs/problem.md");
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string cell(const std::optional<Arguments>& arguments) {
  if (!arguments) return "–";
  if (arguments->most == any_number) return "any";
  return arguments->least == arguments->most ? fmt::format("{}", arguments->least)
                                             : fmt::format("{} to {}", arguments->least, arguments->most);
}

bool has(const Operator& one, Language language) {
  return std::find(one.languages.begin(), one.languages.end(), language) != one.languages.end();
}

TEST(Languages, ThePagePrintsTheTable) {
  const std::string text = page();
  std::string functions_table, operators_table;
  for (const Function& one : functions())
    functions_table += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", one.name, cell(one.formula),
                                   cell(one.compute), cell(one.fill), cell(one.term), one.says);
  for (const Operator& one : operators()) {
    std::string symbol = one.symbol;
    for (std::size_t at = 0; (at = symbol.find('|', at)) != symbol.npos; at += 2) symbol.insert(at, "\\");
    operators_table += fmt::format("| `{}` |", symbol);
    for (const Language language : languages) operators_table += has(one, language) ? " yes |" : " – |";
    operators_table += fmt::format(" {} |\n", one.says);
  }
  EXPECT_THAT(text, HasSubstr(functions_table));
  EXPECT_THAT(text, HasSubstr(operators_table));
}

// Whether the language takes the expression, which uses n and the structure s.
bool takes(Language language, const std::string& expression) {
  StructureInstance s;
  s.name = "s";
  s.extents = {4};
  s.elements = s.used = 4;
  Scope scope;
  scope.numbers["n"] = 8;
  scope.structure["s"] = &s;
  scope.trial = true;
  switch (language) {
    case Language::formula:
      try {
        evaluate(expression, scope);
      } catch (const Error&) {
        return false;
      }
      return true;
    case Language::compute: {
      ComputeNames names;
      names.numbers["n"] = false;
      names.structure["s"] = {1, false};
      names.out = {1, true};
      return faults_of_compute({"out(0) = " + expression + ";", {"p.yaml", 1}}, names).empty();
    }
    case Language::fill:
      return faults_of_fill_term(expression, {"n"}).empty();
    case Language::term:
      break;
  }
  const std::set<std::string> numbers{"n"}, arrays{"s"}, types{"bf16"};
  return faults_of_term(expression, {numbers, arrays, types, {}}, false).empty();
}

std::string call(const Function& one, int count) {
  std::string text = one.name + "(";
  for (int k = 0; k < count; ++k) {
    const bool structure = k == 0 && (one.of_structure || one.name == "segment");
    const bool type = k == 0 && one.name == "round_to";
    const bool draw = k == 0 && (one.name == "random" || one.name == "normal");
    text += (k > 0 ? ", " : "") + std::string(structure ? "s" : type ? "bf16" : draw ? "0" : "n");
  }
  return text + ")";
}

TEST(Languages, HaveTheFunctionsOfTheTable) {
  for (const Function& one : functions())
    for (const Language language : languages) {
      const std::string where = fmt::format("{} in language {}", one.name, static_cast<int>(language));
      const auto& arguments = one.in(language);
      // What a fill by value does not have makes it a derived fill, whose terms are C++ for the compiler.
      if (!arguments && (language == Language::fill || language == Language::term)) continue;
      EXPECT_EQ(takes(language, call(one, arguments ? arguments->least : 1)), arguments.has_value()) << where;
      // The compiler of fills counts the arguments of all but draws.
      if (!arguments || (language == Language::fill && !draw_functions().contains(one.name))) continue;
      if (arguments->most < any_number) {
        EXPECT_TRUE(takes(language, call(one, arguments->most))) << where;
        EXPECT_FALSE(takes(language, call(one, arguments->most + 1))) << where;
      }
      if (arguments->least > 0) {
        EXPECT_FALSE(takes(language, call(one, arguments->least - 1))) << where;
      }
    }
}

TEST(Languages, HaveTheOperatorsOfTheTable) {
  for (const Operator& one : operators())
    for (const Language language : languages) {
      if (language == Language::term) continue;  // C++ has them all, and its compiler says so
      std::istringstream symbols(one.symbol);
      if (one.symbol == "? :") {
        EXPECT_EQ(takes(language, "n ? 1 : 2"), has(one, language));
        continue;
      }
      for (std::string symbol; symbols >> symbol;) {
        const bool prefix = symbol == "!" || symbol == "~";
        EXPECT_EQ(takes(language, prefix ? symbol + "n" : "n " + symbol + " 2"), has(one, language))
            << symbol << " in language " << static_cast<int>(language);
      }
    }
}

}  // namespace
}  // namespace podium::problem
