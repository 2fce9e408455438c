// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Cuts text into names, numbers, literals and symbols; comments are skipped.
#include "suite/problem/formula/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "suite/base/error.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

// Two characters that are one symbol: :: && || << >> ++ -- == != <= >= ->
bool are_one(char a, char b) {
  if (a == b) return std::string_view(":&|<>+-=").find(a) != std::string_view::npos;
  return (b == '=' && (a == '!' || a == '<' || a == '>')) || (a == '-' && b == '>');
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() && (starts_name(text[at]) || digit(text[at]))) ++at;
  return at;
}

// A preprocessing number: also takes in suffixes, the sign of an exponent and the marks of 1'000.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    const bool sign = (text[at] == '+' || text[at] == '-') && (text[at - 1] == 'e' || text[at - 1] == 'E');
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    const bool mark = text[at] == '\'' && (digit(next) || starts_name(next));
    if (!sign && !mark && !digit(text[at]) && !starts_name(text[at]) && text[at] != '.') break;
  }
  return at;
}

std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t end_of_symbol(std::string_view text, std::size_t at) {
  return at + (at + 1 < text.size() && are_one(text[at], text[at + 1]) ? 2 : 1);
}

}  // namespace

std::vector<Token> tokenise(std::string_view text) {
  std::vector<Token> tokens;
  tokens.reserve(text.size() / 2);  // a character and a space each: few texts have more
  const auto take = [&](Token::Kind kind, std::size_t& at, std::size_t end) {
    tokens.push_back({kind, std::string(text.substr(at, end - at)), at});
    at = end;
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (std::isspace(static_cast<unsigned char>(c)))
      ++at;
    else if (c == '/' && next == '/')
      at = std::min(text.find('\n', at), text.size());
    else if (c == '/' && next == '*') {
      const std::size_t end = text.find("*/", at + 2);
      at = end == text.npos ? text.size() : end + 2;
    } else if (starts_name(c))
      take(Token::Kind::name, at, end_of_name(text, at));
    else if (digit(c) || (c == '.' && digit(next)))
      take(Token::Kind::number, at, end_of_number(text, at + 1));
    else if (c == '"' || c == '\'')
      take(Token::Kind::literal, at, end_of_literal(text, at));
    else
      take(Token::Kind::symbol, at, end_of_symbol(text, at));
  }
  return tokens;
}

std::vector<Call> calls(const std::vector<Token>& tokens) {
  std::vector<Call> found;
  struct Open {
    std::size_t call;  // index into found, or none
    bool empty = true;
  };
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<Open> open;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (closes_bracket(token)) {
      if (open.empty()) continue;
      if (open.back().call != none && !open.back().empty) ++found[open.back().call].arguments;
      open.pop_back();
      continue;
    }
    if (!open.empty()) {
      open.back().empty = false;
      if (is_symbol(token, ",") && open.back().call != none) ++found[open.back().call].arguments;
    }
    if (is_symbol(token, "(") && at > 0 && tokens[at - 1].kind == Token::Kind::name) {
      found.push_back({tokens[at - 1].text, 0, at - 1});
      open.push_back({found.size() - 1});
    } else if (opens_bracket(token)) {
      open.push_back({none});
    }
  }
  return found;
}

std::set<std::string, std::less<>> names_used(std::string_view text) {
  std::set<std::string, std::less<>> names;
  for (const Token& token : tokenise(text))
    if (token.kind == Token::Kind::name) names.insert(token.text);
  return names;
}

void refuse(std::string_view formula, const std::string& expected) {
  throw Error(fmt::format("found \"{}\", expected {}", yaml::excerpt(formula), expected));
}

}  // namespace podium::problem
