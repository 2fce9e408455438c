// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/counted_body.hpp"

#include <vector>

#include "suite/problem/formula/lexer.hpp"

namespace podium::problem {
namespace {

using Tokens = std::vector<Token>;

bool is_name(const Token& token, std::string_view text) {
  return token.kind == Token::Kind::name && token.text == text;
}

// Whether a constant that stands in the text is declared: `constexpr double`, `static const double`.
bool declares_constant(const Tokens& tokens, std::size_t at) {
  for (; at > 0 && tokens[at - 1].kind == Token::Kind::name; --at)
    if (is_name(tokens[at - 1], "constexpr") || is_name(tokens[at - 1], "static")) return true;
  return false;
}

bool declares_reals(const Tokens& tokens, std::size_t at) {
  if (!is_name(tokens[at], "double") || declares_constant(tokens, at)) return false;
  if (at > 0 && is_symbol(tokens[at - 1], "->")) return true;
  if (at + 1 == tokens.size() || (at > 0 && is_name(tokens[at - 1], "long"))) return false;
  const Token& next = tokens[at + 1];
  return next.kind == Token::Kind::name || is_symbol(next, "*") || is_symbol(next, "&");
}

// The semicolon that ends the statement at `at`, outside of brackets; tokens.size() if there is none.
std::size_t end_of_statement(const Tokens& tokens, std::size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (opens_bracket(tokens[at])) ++depth;
    if (closes_bracket(tokens[at]) && --depth < 0) return tokens.size();
    if (depth == 0 && is_symbol(tokens[at], ";")) return at;
  }
  return at;
}

}  // namespace

std::string with_counted_reals(std::string_view body) {
  const Tokens tokens = tokenise(body);
  std::vector<std::string> before(body.size() + 1);  // what is put in front of a character
  std::vector<bool> left_out(tokens.size(), false);
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (declares_reals(tokens, at)) {
      before[tokens[at].at] += "podium::program::Number";
      left_out[at] = true;
    }
    if (!is_name(tokens[at], "return") || at + 1 == tokens.size()) continue;
    const std::size_t end = end_of_statement(tokens, at + 1);
    if (end == tokens.size() || end == at + 1 || is_symbol(tokens[at + 1], "{")) continue;
    before[tokens[at + 1].at].insert(0, "podium::program::counted(");
    before[tokens[end].at].insert(0, ")");
  }
  std::string text;
  std::size_t done = 0;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    text += body.substr(done, tokens[at].at - done);
    text += before[tokens[at].at];
    done = tokens[at].at + (left_out[at] ? tokens[at].text.size() : 0);
  }
  return text += body.substr(done);
}

}  // namespace podium::problem
