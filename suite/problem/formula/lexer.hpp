// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The tokens of a formula or of a C++ term: enough to see which names are used and which are called.
#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace podium::problem {

struct Token {
  enum class Kind { number, name, symbol, literal };  // literal: a string or character
  Kind kind = Kind::symbol;
  std::string text;
  std::size_t at = 0;  // offset of its first character
};

inline bool is_symbol(const Token& token, std::string_view text) {
  return token.kind == Token::Kind::symbol && token.text == text;
}
inline bool opens_bracket(const Token& token) {
  return is_symbol(token, "(") || is_symbol(token, "[") || is_symbol(token, "{");
}
inline bool closes_bracket(const Token& token) {
  return is_symbol(token, ")") || is_symbol(token, "]") || is_symbol(token, "}");
}

// Whether there is a token at `at`, and it reads `text`.
inline bool reads(const std::vector<Token>& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && tokens[at].text == text;
}

// Throws podium::Error: found "formula", expected ….
[[noreturn]] void refuse(std::string_view formula, const std::string& expected);

// Never fails: what C++ would refuse is left to its compiler.
std::vector<Token> tokenise(std::string_view text);

// The names in a text, functions included.
std::set<std::string, std::less<>> names_used(std::string_view text);

// A call `name(…)` in a term, outside of comments and literals.
struct Call {
  std::string name;
  int arguments = 0;
  std::size_t token = 0;  // index of the name
};
std::vector<Call> calls(const std::vector<Token>& tokens);

}  // namespace podium::problem
