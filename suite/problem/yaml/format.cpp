// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/yaml/format.hpp"

namespace podium::problem {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<std::string_view> alternatives(std::string_view holds) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at <= holds.size(); ++at) {
    const char c = at < holds.size() ? holds[at] : '|';
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c != '|' || depth > 0) continue;
    parts.push_back(trimmed(holds.substr(first, at - first)));
    first = at + 1;
  }
  return parts;
}

}  // namespace podium::problem
