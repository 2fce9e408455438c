// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/guarded.hpp"

#include <algorithm>
#include <cctype>

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

}  // namespace podium::problem
