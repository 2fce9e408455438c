// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reads fill terms by their tokens; whether they are C++ is left to the compiler.
#include "suite/problem/formula/fill_term.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/functions.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

bool is_allowed(std::string_view symbol) {
  return symbol == "(" || symbol == ")" || symbol == "," || has_operator(Language::fill, symbol);
}

bool contains(const auto& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string fault_of_number(const Token& number, const Call& call) {
  const auto value = core_number(number.text);
  if (number.kind == Token::Kind::number && value && value->integer && value->value >= 0 &&
      value->value < most_draws)
    return "";
  return fmt::format("found {}({}, expected the number of the draw first: a whole number from 0 to {}",
                     call.name, yaml::excerpt(number.text), most_draws - 1);
}

}  // namespace

const std::vector<std::string>& fill_functions() {
  static const std::vector<std::string> names = functions_of(Language::fill);
  return names;
}

const std::set<std::string>& draw_functions() {
  static const std::set<std::string> names{"normal", "random"};
  return names;
}

std::vector<std::string> faults_of_draws(const std::string& term) {
  std::vector<std::string> faults;
  const auto tokens = tokenise(term);
  for (const Call& call : calls(tokens)) {
    if (!draw_functions().contains(call.name)) continue;
    if (call.arguments == 0)
      faults.push_back(
          fmt::format("found {}(), expected the number of the draw, as in {}(0)", call.name, call.name));
    else if (std::string fault = fault_of_number(tokens[call.token + 2], call); !fault.empty())
      faults.push_back(std::move(fault));
    else if (const std::string& next = tokens[call.token + 3].text; next != "," && next != ")")
      faults.push_back(fmt::format("found {}({} {} …, expected the number of the draw alone", call.name,
                                   tokens[call.token + 2].text, next));
  }
  return faults;
}

std::vector<std::string> faults_of_fill_term(const std::string& term, const std::vector<std::string>& known) {
  std::vector<std::string> faults;
  const auto tokens = tokenise(term);
  const auto found = calls(tokens);
  const auto called = [&](std::size_t token) {
    return std::any_of(found.begin(), found.end(), [&](const Call& call) { return call.token == token; });
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.kind == Token::Kind::literal || (token.kind == Token::Kind::symbol && !is_allowed(token.text)))
      faults.push_back(
          fmt::format("found {}, expected one expression of numbers", yaml::excerpt(token.text)));
    if (token.kind != Token::Kind::name) continue;
    if (!called(at) && contains(fill_functions(), token.text))
      faults.push_back(fmt::format("found {} without arguments, expected a call", token.text));
    else if (!called(at) && !contains(known, token.text))
      faults.push_back("unknown name: " + found_one_of(yaml::excerpt(token.text), known));
  }
  for (std::string& fault : faults_of_draws(term)) faults.push_back(std::move(fault));
  return faults;
}

}  // namespace podium::problem
