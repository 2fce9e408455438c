// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/functions.hpp"

#include <algorithm>
#include <stdexcept>

namespace podium::problem {
namespace {

constexpr Arguments one{1, 1}, two{2, 2}, none{0, 0};

const std::vector<Language> everywhere{Language::formula, Language::compute, Language::fill, Language::term};
const std::vector<Language> no_formula{Language::compute, Language::fill, Language::term};
const std::vector<Language> bitwise{Language::fill, Language::term};

}  // namespace

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"abs", "magnitude", one, one, one, one},
      {"ceil", "rounded up", one, one, one, one},
      {"ceil_div", "a / b, rounded up", two, two, two, two},
      {"cos", "cosine, of radians", {}, {}, {}, one},
      {"erf", "error function", one, {}, {}, one},
      {"exp", "natural exponential", one, one, {}, one},
      {"floor", "rounded down", one, one, one, one},
      {"ldexp", "a · 2ᵏ", two, {}, two, two},
      {"log", "natural logarithm", one, one, {}, one},
      {"log2", "logarithm to base 2", one, one, {}, one},
      {"max", "the largest", Arguments{1, any_number}, Arguments{2, 8}, two, two},
      {"min", "the smallest", Arguments{1, any_number}, Arguments{2, 8}, two, two},
      {"next_power_of_2", "the least power of two that is not below it", one},
      {"normal", "draw k: mean 0, standard deviation 1", {}, {}, Arguments{1, any_number}},
      {"pow", "aᵇ", two, two, {}, two},
      {"random", "draw k, uniform in [0, 1)", {}, {}, Arguments{1, any_number}},
      {"random.below", "a whole number from 0 to n − 1", {}, one},
      {"random.normal", "mean 0, standard deviation 1", {}, none},
      {"random.uniform", "uniform in [0, 1)", {}, none},
      {"random.zipf", "k from 1 to n, as likely as k⁻ˢ", {}, two},
      {"round_to", "v, rounded to a dtype", {}, {}, {}, two},
      {"segment", "the k with s(k) ≤ e < s(k + 1)", {}, two, {}, two},
      {"sin", "sine, of radians", {}, {}, {}, one},
      {"sqrt", "square root", one, one, one, one},
      {"sum", "over the elements of structure", one, one, {}, {}, true},
      {"tanh", "hyperbolic tangent", one, {}, {}, one},
  };
  return all;
}

std::vector<std::string> functions_of(Language language) {
  std::vector<std::string> names;
  for (const Function& function : functions())
    if (function.in(language)) names.push_back(function.name);
  return names;
}

Arguments arguments_of(Language language, std::string_view function) {
  for (const Function& known : functions())
    if (known.name == function && known.in(language)) return *known.in(language);
  throw std::logic_error("no such function: " + std::string(function));
}

const std::vector<Operator>& operators() {
  static const std::vector<Operator> all{
      {"+", "sum", everywhere},
      {"-", "difference, negative", everywhere},
      {"*", "product", everywhere},
      {"/", "quotient", everywhere},
      {"%", "remainder of whole numbers, with the sign of the first", everywhere},
      {"==", "equal", everywhere},
      {"!=", "not equal", everywhere},
      {"<", "less", everywhere},
      {"<=", "less or equal", everywhere},
      {">", "greater", everywhere},
      {">=", "greater or equal", everywhere},
      {"&&", "both", everywhere},
      {"||", "either", everywhere},
      {"? :", "a choice of two", everywhere},
      {"!", "not", no_formula},
      {"& | ^ ~ << >>", "bits of whole numbers", bitwise},
  };
  return all;
}

bool has_operator(Language language, std::string_view symbol) {
  return std::any_of(operators().begin(), operators().end(), [&](const Operator& one) {
    const auto& languages = one.languages;
    if (std::find(languages.begin(), languages.end(), language) == languages.end()) return false;
    const std::string padded = " " + one.symbol + " ";
    return padded.find(" " + std::string(symbol) + " ") != padded.npos;
  });
}

}  // namespace podium::problem
