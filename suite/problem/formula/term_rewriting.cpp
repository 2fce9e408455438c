// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/term_rewriting.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "suite/problem/formula/lexer.hpp"

namespace podium::problem {
namespace {

bool word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The end of the comment, literal or number that begins at `at`, or `at`.
std::size_t end_of_opaque(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text.substr(at, 2) == "/*") {
    const std::size_t end = text.find("*/", at + 2);
    return end == text.npos ? text.size() : end + 2;
  }
  if (c == '"' || c == '\'') {
    std::size_t end = at + 1;
    for (; end < text.size() && text[end] != c; ++end)
      if (text[end] == '\\') ++end;
    return std::min(end + 1, text.size());
  }
  std::size_t end = at;
  while (end < text.size() && (word(text[end]) || (end > at && text[end] == '\'' && word(text[end - 1]))))
    ++end;
  return end;
}

// Whether a literal other than 0 stands behind an operator.
bool divides_by_literal(std::string_view text, std::size_t at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  if (at == text.size() || !std::isdigit(static_cast<unsigned char>(text[at]))) return false;
  for (; at < text.size() && (word(text[at]) || text[at] == '.'); ++at)
    if (text[at] >= '1' && text[at] <= '9') return true;
  return false;
}

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

std::string guarded(std::string_view term) {
  std::string result;
  for (std::size_t at = 0; at < term.size();) {
    if (const std::size_t end = end_of_opaque(term, at); end > at) {
      result += term.substr(at, end - at);
      at = end;
      continue;
    }
    const char c = term[at++];
    const bool assigns = at < term.size() && term[at] == '=';
    if (c != '/' && c != '%') {
      result += c;
    } else if (assigns) {
      result += {c, '='};
      if (!divides_by_literal(term, at + 1)) result += " podium_checked =";
      ++at;
    } else {
      if (!divides_by_literal(term, at)) result += "*podium_checked";
      result += c;
    }
  }
  return result;
}

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
