// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes a formula as C++ in which every operand is a Real (program/growth.hpp), so that both mean the same.
#include "suite/problem/generate/growth.hpp"

#include <cmath>

#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/generate/tensors.hpp"

namespace podium::problem {
namespace {

// A number of the formula; none is left a literal, or two of them would divide as C++'s do.
std::string real(double number) {
  return fmt::format("podium_real({})", std::isfinite(number) ? fmt::format("{}", number) : literal(number));
}

// The formula has been evaluated once while the file was read: all of it is known to be well.
std::string as_cpp(const std::string& formula, const Choice& choice) {
  Scope scope;
  scope.types.insert(choice.types.begin(), choice.types.end());
  const std::vector<Token> tokens = tokenise(formula);
  std::string text;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    const bool of_dtype = token.text == "eps" || token.text == "size";
    std::string piece = token.text;
    if (token.kind == Token::Kind::number) piece = real(evaluate(token.text, scope));
    if (of_dtype) {
      piece = real(evaluate(fmt::format("{}({})", token.text, tokens[at + 2].text), scope));
      at += 3;
    }
    if (token.text == "%") piece = "*podium_remainder%";
    const bool called = piece == "(" && at > 0 && tokens[at - 1].kind == Token::Kind::name;
    const bool tight = text.empty() || text.ends_with('(') || called || piece == ")" || piece == ",";
    text += (tight ? "" : " ") + piece;
  }
  return text;
}

// A function of the words and of the indices of reference `r`. Faults: of what it reads of structure, and of
// its remainders.
struct ElementFormula {
  std::string_view name, fault, remainder;
  const Text& formula;
};

void write(Lines& out, const Problem& problem, const Choice& choice, const Plan& plan, std::size_t r,
           std::size_t t, const ElementFormula& element) {
  const Text& formula = element.formula;
  const auto used = names_used(formula.text);
  std::string parameters = "[[maybe_unused]] const podium::program::Words podium_words";
  for (const Index& index : problem.references[r].index)
    parameters += fmt::format(", [[maybe_unused]] const podium::program::Real {}", index.name);
  out.add("\n// {} of {}", element.name, problem.tensors[t].name);
  out.add("PODIUM_DEVICE podium::program::Real podium_{}_{}({}) {{", element.name, r, parameters);
  out.add("  using podium_real [[maybe_unused]] = podium::program::Real;");
  const auto number = [&](const std::string& name, const std::string& value) {
    if (used.contains(name)) out.add("  const podium_real {} = {};", name, value);
  };
  for (std::size_t k = 0; k < problem.axes.size(); ++k)
    number(problem.axes[k].name, fmt::format("podium_words.integer({})", plan.axis(k)));
  for (std::size_t k = 0; k < problem.parameters.size(); ++k)
    number(problem.parameters[k].name, fmt::format("podium_words.real({})", plan.parameter(k)));
  for (const auto& constant : problem.constants) number(constant.name, literal(constant.value));
  number("infinity", "podium::program::infinity_value()");
  for (std::size_t s = 0; s < problem.structure.size(); ++s)
    if (const Structure& structure = problem.structure[s]; used.contains(structure.name))
      out.add(
          "  const podium::program::RealStructure<{}, {}, {}, {}> {}{{podium_words, {}, "
          "podium::program::{}}};",
          TensorText::element(structure.dtype), s, plan.structure(s), structure.shape.size(), structure.name,
          r, element.fault);
  if (formula.text.find('%') != formula.text.npos)
    out.add(
        "  const podium::program::Remainder podium_remainder{{podium_words, {}, {}, podium::program::{}}};",
        r, t, element.remainder);
  out.add_term("  return ", {as_cpp(formula.text, choice), formula.at, formula.key}, "  ;");
  out.add("}}");
}

}  // namespace

void write_growth(Lines& out, const Problem& problem, const Choice& choice, const Plan& plan, std::size_t r,
                  std::size_t t) {
  write(out, problem, choice, plan, r, t,
        {"growth", "fault_growth", "fault_remainder", problem.tensors[t].tolerance.growth});
}

void write_any(Lines& out, const Problem& problem, const Choice& choice, const Plan& plan, std::size_t r,
               std::size_t t) {
  write(out, problem, choice, plan, r, t,
        {"any", "fault_any", "fault_any_remainder", problem.references[r].any});
  const std::size_t rank = problem.tensors[t].shape.size();
  out.add("struct podium_elements_{} {{", r);
  out.add("  PODIUM_DEVICE static bool any(Words podium_words, [[maybe_unused]] i64 podium_element) {{");
  std::string arguments;
  for (std::size_t k = 0; k < rank; ++k) arguments += fmt::format(", podium_index[{}]", k);
  if (rank > 0) {
    out.add("    i64 podium_index[{}];", rank);
    out.add("    unravel<{}, {}>(podium_words, podium_element, podium_index);", plan.tensor(t), rank);
  }
  out.add("    return excuses(podium_any_{}(podium_words{}).value);\n  }}\n}};", r, arguments);
}

}  // namespace podium::problem
