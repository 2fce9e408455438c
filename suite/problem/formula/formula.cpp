// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks and rewrites a formula's tokens, then leaves the arithmetic to muParser.
#include "suite/problem/formula/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/formula/functions.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/structure_use.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t longest = 2000;  // characters; muParser's own limit is higher
constexpr std::size_t deepest = 32;    // parentheses

// muParser's own `log` has meant log10 and ln in turn, so every function is defined here.
double ceil_div(double a, double b) { return std::ceil(a / b); }
double minimum(const double* values, int count) { return *std::min_element(values, values + count); }
double maximum(const double* values, int count) { return *std::max_element(values, values + count); }
double ldexp(double value, double exponent) { return value * std::exp2(exponent); }
double next_power_of_2(double value) { return value <= 1 ? 1 : std::exp2(std::ceil(std::log2(value))); }

// The first remainder of an evaluation that has no value; muParser's callbacks know nothing of who called.
thread_local std::optional<std::pair<double, double>> no_remainder;

// C++'s: with the sign of the dividend.
double remainder(double a, double b) {
  const bool whole = a == std::floor(a) && b == std::floor(b) && std::isfinite(a) && std::isfinite(b);
  if (whole && b != 0) return std::fmod(a, b);
  if (!no_remainder) no_remainder.emplace(a, b);
  return std::numeric_limits<double>::quiet_NaN();
}

class Arithmetic : public mu::Parser {
 public:
  Arithmetic() {
    ClearFun();
    ClearConst();
    DefineFun("abs", static_cast<double (*)(double)>(std::fabs));
    DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
    DefineFun("ceil_div", ceil_div);
    DefineFun("erf", static_cast<double (*)(double)>(std::erf));
    DefineFun("exp", static_cast<double (*)(double)>(std::exp));
    DefineFun("floor", static_cast<double (*)(double)>(std::floor));
    DefineFun("ldexp", problem::ldexp);
    DefineFun("log", static_cast<double (*)(double)>(std::log));
    DefineFun("log2", static_cast<double (*)(double)>(std::log2));
    DefineFun("max", maximum);
    DefineFun("min", minimum);
    DefineFun("next_power_of_2", problem::next_power_of_2);
    DefineFun("pow", static_cast<double (*)(double, double)>(std::pow));
    DefineFun("sqrt", static_cast<double (*)(double)>(std::sqrt));
    DefineFun("tanh", static_cast<double (*)(double)>(std::tanh));
    // Not evaluated ahead: a branch of ?: that is not taken may have no remainder.
    DefineOprt("%", remainder, mu::prMUL_DIV, mu::oaLEFT, false);
  }
};

[[noreturn]] void refuse(std::string_view formula, const std::string& expected) {
  throw Error(fmt::format("found \"{}\", expected {}", yaml::excerpt(formula), expected));
}

bool is(const std::vector<Token>& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}

double number_of(std::string_view formula, const Token& token) {
  const auto number = core_number(token.text);
  if (!number || token.text.starts_with("0x") || token.text.starts_with("0o"))
    refuse(formula, fmt::format("a decimal number in place of \"{}\"", yaml::excerpt(token.text)));
  return number->value;
}

double number_named(std::string_view formula, const std::string& name, const Scope& scope) {
  if (name == "infinity") return std::numeric_limits<double>::infinity();
  if (const auto known = scope.numbers.find(name); known != scope.numbers.end()) return known->second;
  if (scope.structure.contains(name))
    refuse(formula, fmt::format("an element or a sum, as in {0}(0) or sum({0})", name));
  std::vector<std::string> names;
  for (const auto& [known, value] : scope.numbers) names.push_back(known);
  const std::string where = formula == name ? "" : fmt::format("in \"{}\" ", yaml::excerpt(formula));
  throw Error(where + found_one_of(yaml::excerpt(name), names));
}

// eps(name) or size(name), at `at`
double of_dtype(std::string_view formula, const std::vector<Token>& tokens, std::size_t at,
                const Scope& scope) {
  const std::string& function = tokens[at].text;
  if (!is(tokens, at + 1, "(") || at + 2 >= tokens.size() || !is(tokens, at + 3, ")"))
    refuse(formula, fmt::format("{} of one dtype, as in {}(f32)", function, function));
  const std::string& name = tokens[at + 2].text;
  const auto key = scope.types.find(name);
  const auto dtype = key != scope.types.end() ? std::optional(key->second) : dtype_named(name);
  if (!dtype) {
    std::vector<std::string> names;
    for (int i = 0; i < dtypes; ++i) names.emplace_back(info(static_cast<Dtype>(i)).name);
    for (const auto& [known, value] : scope.types) names.push_back(known);
    throw Error(
        fmt::format("in \"{}\" {}", yaml::excerpt(formula), found_one_of(yaml::excerpt(name), names)));
  }
  if (function == "eps" && !info(*dtype).floating)
    refuse(formula, fmt::format("eps of a floating dtype; {} is exact", name));
  return function == "eps" ? info(*dtype).eps : info(*dtype).bits / 8.0;  // bytes of one element
}

void check_symbol(std::string_view formula, const Token& token) {
  if (token.text == "(" || token.text == ")" || token.text == "," ||
      has_operator(Language::formula, token.text))
    return;
  if (token.text == "^") refuse(formula, "pow(a, b) in place of \"^\"");
  if (token.text == "=") refuse(formula, "\"==\" in place of \"=\"");
  refuse(formula, fmt::format("no \"{}\"; there are + - * / % ( ) == != < <= > >= && || ?: and functions",
                              yaml::excerpt(token.text)));
}

bool compares(const Token& token) {
  static const std::vector<std::string> all{"==", "!=", "<", "<=", ">", ">="};
  return token.kind == Token::Kind::symbol && std::find(all.begin(), all.end(), token.text) != all.end();
}

// What muParser lets pass: a comma outside a call gives the last of several results, and a < b < c compares a
// truth with c.
void check_nesting(std::string_view formula, const std::vector<Token>& tokens) {
  struct Parenthesis {
    bool of_call = false;
    bool compared = false;  // since the last && || ? : or comma
  };
  std::vector<Parenthesis> open(1);  // the first is the formula itself
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (is(tokens, at, "(")) open.push_back({.of_call = at > 0 && tokens[at - 1].kind == Token::Kind::name});
    if (is(tokens, at, ")") && open.size() > 1) open.pop_back();
    for (const char* apart : {"&&", "||", "?", ":", ","})
      if (is(tokens, at, apart)) open.back().compared = false;
    if (compares(tokens[at]) && open.back().compared)
      refuse(formula, "comparisons one by one, as in a < b && b < c, or parentheses around one of them");
    if (compares(tokens[at])) open.back().compared = true;
    if (open.size() > deepest + 1) refuse(formula, fmt::format("parentheses at most {} deep", deepest));
    if (is(tokens, at, ",") && !open.back().of_call) refuse(formula, "one number, not several");
  }
}

// The formula with every name replaced by its value, in muParser's spelling.
std::string rewrite(std::string_view formula, const std::vector<Token>& tokens, const Scope& scope,
                    Arithmetic& arithmetic) {
  std::string text;
  const auto& functions = formula_functions();
  const auto put_number = [&](double value) {
    // By name, since text holds neither infinities nor the sign of a negative number after an operator.
    const std::string name = fmt::format("podium_{}", text.size());
    arithmetic.DefineConst(name, value);
    text += name + " ";
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    switch (token.kind) {
      case Token::Kind::number:
        put_number(number_of(formula, token));
        break;
      case Token::Kind::literal:
        refuse(formula, "numbers, not text");
      case Token::Kind::symbol:
        check_symbol(formula, token);
        text += token.text + " ";
        break;
      case Token::Kind::name:
        if (const std::size_t end = end_of_structure(tokens, at, scope)) {
          put_number(value_of_structure(formula, tokens, at, scope));
          at = end;
        } else if (token.text == "eps" || token.text == "size") {
          put_number(of_dtype(formula, tokens, at, scope));
          at += 3;
        } else if (is(tokens, at + 1, "(")) {
          if (!std::binary_search(functions.begin(), functions.end(), token.text))
            throw Error(fmt::format("in \"{}\" unknown function: {}", yaml::excerpt(formula),
                                    found_one_of(yaml::excerpt(token.text), functions)));
          text += token.text;
        } else {
          put_number(number_named(formula, token.text, scope));
        }
        break;
    }
  }
  return text;
}

}  // namespace

const std::vector<std::string>& formula_functions() {
  static const std::vector<std::string> names = functions_of(Language::formula);
  return names;
}

std::vector<std::string> structure_in(std::string_view formula, const Scope& scope) {
  std::vector<std::string> names;
  for (const Token& token : tokenise(formula))
    if (token.kind == Token::Kind::name && scope.structure.contains(token.text)) names.push_back(token.text);
  return names;
}

std::vector<std::string> names_in(std::string_view formula) {
  std::vector<std::string> names;
  const auto tokens = tokenise(formula);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Token::Kind::name || tokens[at].text == "infinity") continue;
    if (is(tokens, at + 1, "(")) {
      if (tokens[at].text == "eps" || tokens[at].text == "size") at += 3;
      continue;
    }
    if (std::find(names.begin(), names.end(), tokens[at].text) == names.end())
      names.push_back(tokens[at].text);
  }
  return names;
}

double evaluate(std::string_view formula, const Scope& scope) {
  if (formula.size() > longest) refuse(formula, fmt::format("a formula of at most {} characters", longest));
  const auto tokens = tokenise(formula);
  if (tokens.empty()) refuse(formula, "a formula");
  // Most formulas are a number or a name, and need no parser.
  if (tokens.size() == 1 && tokens[0].kind == Token::Kind::number) return number_of(formula, tokens[0]);
  if (tokens.size() == 1 && tokens[0].kind == Token::Kind::name)
    return number_named(formula, tokens[0].text, scope);
  check_nesting(formula, tokens);
  static const Arithmetic prototype;
  Arithmetic arithmetic(prototype);
  no_remainder.reset();
  try {
    arithmetic.SetExpr(rewrite(formula, tokens, scope, arithmetic));
    const double value = arithmetic.Eval();
    if (no_remainder && !scope.trial)
      throw Error(fmt::format("in \"{}\" found {} % {}, expected whole numbers and a divisor other than 0",
                              yaml::excerpt(formula), no_remainder->first, no_remainder->second));
    return value;
  } catch (const mu::Parser::exception_type&) {
    refuse(formula, "operators between numbers, as in 2 * (rows + 1)");
  }
}

}  // namespace podium::problem
