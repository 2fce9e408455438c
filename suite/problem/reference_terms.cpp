// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/reference_terms.hpp"

#include <algorithm>

#include "suite/problem/lexer.hpp"

namespace podium::problem {
namespace {

using Form = Reference::Form;

// For each index of a recurrence, whether it calls itself at other values of it.
std::vector<bool> crossed(const Reference& reference) {
  std::vector<bool> crossed(reference.index.size(), false);
  for (const NamedCall& call : named_calls(reference.term.text)) {
    if (call.name != reference.name) continue;
    for (std::size_t k = 0; k < crossed.size(); ++k)
      if (k != reference.along &&
          (k >= call.arguments.size() || call.arguments[k] != reference.index[k].name))
        crossed[k] = true;
  }
  return crossed;
}

}  // namespace

std::vector<NamedCall> named_calls(const std::string& term) {
  const std::vector<Token> tokens = tokenise(term);
  std::vector<NamedCall> found;
  for (const Call& call : calls(tokens)) {
    NamedCall named{call.name, {}};
    std::size_t first = call.token + 2;  // behind the parenthesis
    int depth = 0;
    for (std::size_t at = first; at < tokens.size() && depth >= 0; ++at) {
      const std::string& text = tokens[at].text;
      const bool symbol = tokens[at].kind == Token::Kind::symbol;
      if (symbol && (text == "(" || text == "[" || text == "{")) ++depth;
      if (symbol && (text == ")" || text == "]" || text == "}")) --depth;
      if (!symbol || !((depth == 0 && text == ",") || depth < 0)) continue;
      const bool lone = at == first + 1 && tokens[first].kind == Token::Kind::name;
      named.arguments.push_back(lone ? tokens[first].text : "");
      first = at + 1;
    }
    found.push_back(std::move(named));
  }
  return found;
}

std::vector<const Text*> terms_of(const Reference& reference) {
  std::vector<const Text*> terms;
  const auto add = [&terms](const Text& text) {
    if (!text.text.empty()) terms.push_back(&text);
  };
  for (const Index& index : reference.over)
    if (index.dependent) add(index.low), add(index.high);
  add(reference.first);
  add(reference.where);
  for (const Text& target : reference.targets) add(target);
  add(reference.term);
  return terms;
}

bool is_body(const std::string& term) {
  const auto tokens = tokenise(term);
  return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
    return token.kind == Token::Kind::name && token.text == "return";
  });
}

std::vector<bool> whole_indices(const Reference& reference) {
  std::vector<bool> whole(reference.index.size(), reference.form == Form::host);
  if (reference.form == Form::recur) whole = crossed(reference);
  if ((reference.form == Form::recur || reference.form == Form::scan) && reference.along < whole.size())
    whole[reference.along] = true;
  if (reference.form == Form::scatter)
    for (std::size_t k = 0; k < reference.targets.size(); ++k) whole[k] = !reference.targets[k].text.empty();
  return whole;
}

bool crosses_lines(const Reference& reference) {
  const std::vector<bool> all = crossed(reference);
  return std::find(all.begin(), all.end(), true) != all.end();
}

bool carries_magnitude(const Reference& reference) {
  if (reference.form == Form::recur) return !is_body(reference.term.text) && !is_body(reference.first.text);
  return reference.form != Form::order && reference.form != Form::code && reference.form != Form::host;
}

bool needs_host(const Problem& problem, const Reference& reference) {
  if (reference.form == Form::host) return true;
  for (const Text* term : terms_of(reference))
    for (const NamedCall& call : named_calls(term->text))
      for (const Reference& other : problem.references)
        if (other.name == call.name && other.name != reference.name && needs_host(problem, other))
          return true;
  return false;
}

}  // namespace podium::problem
