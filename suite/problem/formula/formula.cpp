// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks a formula's tokens, puts numbers in the place of names, reads the tree that `compute` has too, and
// evaluates it in fp64.
#include "suite/problem/formula/formula.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/formula/expressions.hpp"
#include "suite/problem/formula/functions.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

// Structure in formulas: length(b), sum(length), max(length), min(length).
// The last token of the use of structure that begins at token `at`; 0 if none begins there.
std::size_t end_of_structure(const std::vector<Token>& tokens, std::size_t at, const Scope& scope);

// Its value. Throws podium::Error: a wrong number of indices, one out of range, structure without numbers.
double value_of_structure(std::string_view formula, const std::vector<Token>& tokens, std::size_t at,
                          const Scope& scope);

constexpr std::size_t longest_formula = 2000;  // characters
constexpr std::size_t most_parentheses = 32;   // parentheses

// The functions of numbers, by their values and how many there are.
using Implementation = double (*)(const double* values, int count);
struct Implemented {
  std::string_view name;
  Implementation value;
};
constexpr std::array implemented{
    Implemented{"abs", [](const double* x, int) { return std::fabs(x[0]); }},
    Implemented{"ceil", [](const double* x, int) { return std::ceil(x[0]); }},
    Implemented{"ceil_div", [](const double* x, int) { return std::ceil(x[0] / x[1]); }},
    Implemented{"erf", [](const double* x, int) { return std::erf(x[0]); }},
    Implemented{"exp", [](const double* x, int) { return std::exp(x[0]); }},
    Implemented{"floor", [](const double* x, int) { return std::floor(x[0]); }},
    Implemented{"ldexp", [](const double* x, int) { return x[0] * std::exp2(x[1]); }},
    Implemented{"log", [](const double* x, int) { return std::log(x[0]); }},
    Implemented{"log2", [](const double* x, int) { return std::log2(x[0]); }},
    Implemented{"max", [](const double* x, int count) { return *std::max_element(x, x + count); }},
    Implemented{"min", [](const double* x, int count) { return *std::min_element(x, x + count); }},
    Implemented{"next_power_of_2",
                [](const double* x, int) { return x[0] <= 1 ? 1 : std::exp2(std::ceil(std::log2(x[0]))); }},
    Implemented{"pow", [](const double* x, int) { return std::pow(x[0], x[1]); }},
    Implemented{"sqrt", [](const double* x, int) { return std::sqrt(x[0]); }},
    Implemented{"tanh", [](const double* x, int) { return std::tanh(x[0]); }}};

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
  if (!reads(tokens, at + 1, "(") || at + 2 >= tokens.size() || !reads(tokens, at + 3, ")"))
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

// What the operators alone would let pass: a < b < c compares a truth with c.
void check_nesting(std::string_view formula, const std::vector<Token>& tokens) {
  struct Parenthesis {
    bool of_call = false;
    bool compared = false;  // since the last && || ? : or comma
  };
  std::vector<Parenthesis> open(1);  // the first is the formula itself
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (reads(tokens, at, "("))
      open.push_back({.of_call = at > 0 && tokens[at - 1].kind == Token::Kind::name});
    if (reads(tokens, at, ")") && open.size() > 1) open.pop_back();
    for (const char* apart : {"&&", "||", "?", ":", ","})
      if (reads(tokens, at, apart)) open.back().compared = false;
    if (compares(tokens[at]) && open.back().compared)
      refuse(formula, "comparisons one by one, as in a < b && b < c, or parentheses around one of them");
    if (compares(tokens[at])) open.back().compared = true;
    if (open.size() > most_parentheses + 1)
      refuse(formula, fmt::format("parentheses at most {} deep", most_parentheses));
    if (reads(tokens, at, ",") && !open.back().of_call) refuse(formula, "one number, not several");
  }
}

// The formula's tokens with a number in the place of every name, and the values of the numbers among them.
struct Resolved {
  std::vector<Token> tokens;
  std::vector<double> values;  // of each token; 0 of others than numbers

  void number(double value) { put({Token::Kind::number, "", 0}, value); }
  void put(const Token& token, double value = 0) {
    tokens.push_back(token);
    values.push_back(value);
  }
};

Resolved resolve(std::string_view formula, const std::vector<Token>& tokens, const Scope& scope) {
  Resolved resolved;
  const auto& functions = formula_functions();
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    switch (token.kind) {
      case Token::Kind::number:
        resolved.number(number_of(formula, token));
        break;
      case Token::Kind::literal:
        refuse(formula, "numbers, not text");
      case Token::Kind::symbol:
        check_symbol(formula, token);
        resolved.put(token);
        break;
      case Token::Kind::name:
        if (const std::size_t end = end_of_structure(tokens, at, scope)) {
          resolved.number(value_of_structure(formula, tokens, at, scope));
          at = end;
        } else if (token.text == "eps" || token.text == "size") {
          resolved.number(of_dtype(formula, tokens, at, scope));
          at += 3;
        } else if (reads(tokens, at + 1, "(")) {
          if (!std::binary_search(functions.begin(), functions.end(), token.text))
            throw Error(fmt::format("in \"{}\" unknown function: {}", yaml::excerpt(formula),
                                    found_one_of(yaml::excerpt(token.text), functions)));
          resolved.put(token);
        } else {
          resolved.number(number_named(formula, token.text, scope));
        }
        break;
    }
  }
  return resolved;
}

class Formula final : ExpressionReader {
 public:
  Formula(std::string_view formula, const Resolved& resolved)
      : ExpressionReader(resolved.tokens, nodes_of_formula_, static_cast<int>(longest_formula)),
        formula_(formula),
        values_(resolved.values) {
    root_ = expression();
    if (at_ < tokens_.size()) malformed();
  }

  double value() { return value(root_); }
  // The first remainder that has no value.
  const std::optional<std::pair<double, double>>& no_remainder() const { return no_remainder_; }

 private:
  [[noreturn]] void malformed() const {
    podium::problem::refuse(formula_, "operators between numbers, as in 2 * (rows + 1)");
  }
  [[noreturn]] void refuse(const std::string&) const override { malformed(); }

  int primary() override {
    if (at_ >= tokens_.size()) malformed();
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::number) {
      ExpressionNode made = node(Kind::real, true);
      made.real = values_[at_++];
      return keep(std::move(made));
    }
    if (token.kind == Token::Kind::name) return call(token.text);
    if (!take("(")) malformed();
    const int inner = expression();
    if (!take(")")) malformed();
    return inner;
  }

  int call(const std::string& name) {
    ExpressionNode made = node(Kind::call, true);
    const auto* const known = std::find_if(implemented.begin(), implemented.end(),
                                           [&](const Implemented& one) { return one.name == name; });
    made.slot = static_cast<int>(known - implemented.begin());
    at_ += 2;  // the name and "("
    if (!is(")")) do
        made.children.push_back(expression());
      while (take(","));
    const auto count = static_cast<int>(made.children.size());
    const Arguments arguments = arguments_of(Language::formula, name);
    if (!take(")") || count < arguments.least || count > arguments.most) malformed();
    return keep(std::move(made));
  }

  // C++'s: with the sign of the dividend.
  double remainder(double a, double b) {
    const bool whole = a == std::floor(a) && b == std::floor(b) && std::isfinite(a) && std::isfinite(b);
    if (whole && b != 0) return std::fmod(a, b);
    if (!no_remainder_) no_remainder_.emplace(a, b);
    return std::numeric_limits<double>::quiet_NaN();
  }

  double value(int at) {
    const ExpressionNode& node = nodes_[static_cast<std::size_t>(at)];
    if (node.kind == Kind::real) return node.real;
    if (node.kind == Kind::choose)  // what is not taken may have no value
      return value(node.children[value(node.children[0]) != 0 ? 1 : 2]);
    std::vector<double> x;
    for (const int child : node.children) x.push_back(value(child));
    switch (node.kind) {
      case Kind::negative:
        return -x[0];
      case Kind::add:
        return x[0] + x[1];
      case Kind::subtract:
        return x[0] - x[1];
      case Kind::multiply:
        return x[0] * x[1];
      case Kind::divide:
        return x[0] / x[1];
      case Kind::remainder:
        return remainder(x[0], x[1]);
      case Kind::less:
        return x[0] < x[1] ? 1 : 0;
      case Kind::less_equal:
        return x[0] <= x[1] ? 1 : 0;
      case Kind::equal:
        return x[0] == x[1] ? 1 : 0;
      case Kind::not_equal:
        return x[0] != x[1] ? 1 : 0;
      case Kind::both:
        return x[0] != 0 && x[1] != 0 ? 1 : 0;
      case Kind::either:
        return x[0] != 0 || x[1] != 0 ? 1 : 0;
      case Kind::call:
        return implemented.at(static_cast<std::size_t>(node.slot))
            .value(x.data(), static_cast<int>(x.size()));
      default:
        throw std::logic_error("a node that formulas do not have");
    }
  }

  std::string_view formula_;
  const std::vector<double>& values_;
  std::vector<ExpressionNode> nodes_of_formula_;
  int root_ = -1;
  std::optional<std::pair<double, double>> no_remainder_;
};

bool folds(const std::vector<Token>& tokens, std::size_t at, const Scope& scope) {
  return (reads(tokens, at, "sum") || reads(tokens, at, "max") || reads(tokens, at, "min")) &&
         reads(tokens, at + 1, "(") && at + 2 < tokens.size() &&
         scope.structure.contains(tokens[at + 2].text) && reads(tokens, at + 3, ")");
}

const StructureInstance& known(std::string_view formula, const std::string& name, const Scope& scope) {
  const StructureInstance& structure = *scope.structure.find(name)->second;
  if (!scope.trial && !structure.words)
    refuse(formula,
           fmt::format("no structure: the numbers of {} are known only while a contestant runs", name));
  return structure;
}

double fold(const std::string& function, const StructureInstance& structure) {
  const std::int64_t count = structure.used_elements();
  double result = function == "sum"   ? 0
                  : function == "max" ? -std::numeric_limits<double>::infinity()
                                      : std::numeric_limits<double>::infinity();
  for (std::int64_t k = 0; k < count; ++k) {
    const double x = structure.number(k);
    result = function == "sum" ? result + x : function == "max" ? std::max(result, x) : std::min(result, x);
  }
  return result;
}

// The values of the arguments between the parentheses of the call at `at`.
std::vector<double> arguments(const std::vector<Token>& tokens, std::size_t at, std::size_t end,
                              const Scope& scope) {
  std::vector<double> values;
  std::string argument;
  int depth = 0;
  for (std::size_t k = at + 2; k <= end; ++k) {
    if (k == end || (depth == 0 && reads(tokens, k, ","))) {
      if (k != end || !argument.empty() || !values.empty()) values.push_back(evaluate(argument, scope));
      argument.clear();
      continue;
    }
    depth += reads(tokens, k, "(") - reads(tokens, k, ")");
    argument += (argument.empty() ? "" : " ") + tokens[k].text;
  }
  return values;
}

std::size_t end_of_structure(const std::vector<Token>& tokens, std::size_t at, const Scope& scope) {
  if (folds(tokens, at, scope)) return at + 3;
  if (!reads(tokens, at + 1, "(") || !scope.structure.contains(tokens[at].text)) return 0;
  int depth = 0;
  for (std::size_t end = at + 1; end < tokens.size(); ++end) {
    depth += reads(tokens, end, "(") - reads(tokens, end, ")");
    if (depth == 0) return end;
  }
  return 0;
}

double value_of_structure(std::string_view formula, const std::vector<Token>& tokens, std::size_t at,
                          const Scope& scope) {
  const bool whole = folds(tokens, at, scope);
  const std::string& name = tokens[whole ? at + 2 : at].text;
  const StructureInstance& structure = known(formula, name, scope);
  if (whole) return scope.trial ? 1 : fold(tokens[at].text, structure);
  const std::vector<double> index = arguments(tokens, at, end_of_structure(tokens, at, scope), scope);
  if (index.size() != structure.extents.size())
    refuse(formula, fmt::format("{} {} of {}", structure.extents.size(),
                                structure.extents.size() == 1 ? "index" : "indices", name));
  if (scope.trial) return 1;
  std::int64_t linear = 0;
  for (std::size_t k = 0; k < index.size(); ++k) {
    const std::int64_t extent = k == 0 ? structure.used : structure.extents[k];
    if (!(index[k] >= 0 && index[k] < static_cast<double>(extent) && index[k] == std::floor(index[k])))
      throw Error(
          fmt::format("in \"{}\" found {}({}), expected whole indices within its part in use, which has {} "
                      "along axis {}",
                      yaml::excerpt(formula), name, fmt::join(index, ", "), extent, k));
    linear = linear * structure.extents[k] + static_cast<std::int64_t>(index[k]);
  }
  return structure.number(linear);
}

}  // namespace

const std::vector<std::string>& formula_functions() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> names;
    for (const Function& function : functions())
      if (function.formula && !function.of_structure) names.push_back(function.name);
    return names;
  }();
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
    if (reads(tokens, at + 1, "(")) {
      if (tokens[at].text == "eps" || tokens[at].text == "size") at += 3;
      continue;
    }
    if (std::find(names.begin(), names.end(), tokens[at].text) == names.end())
      names.push_back(tokens[at].text);
  }
  return names;
}

double evaluate(std::string_view formula, const Scope& scope) {
  if (formula.size() > longest_formula)
    refuse(formula, fmt::format("a formula of at most {} characters", longest_formula));
  const auto tokens = tokenise(formula);
  if (tokens.empty()) refuse(formula, "a formula");
  // Most formulas are a number or a name, and need no tree.
  if (tokens.size() == 1 && tokens[0].kind == Token::Kind::number) return number_of(formula, tokens[0]);
  if (tokens.size() == 1 && tokens[0].kind == Token::Kind::name)
    return number_named(formula, tokens[0].text, scope);
  check_nesting(formula, tokens);
  const Resolved resolved = resolve(formula, tokens, scope);
  Formula read(formula, resolved);
  const double value = read.value();
  if (const auto& none = read.no_remainder(); none && !scope.trial)
    throw Error(fmt::format("in \"{}\" found {} % {}, expected whole numbers and a divisor other than 0",
                            yaml::excerpt(formula), none->first, none->second));
  return value;
}

}  // namespace podium::problem
