// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/access.hpp"

#include <algorithm>

#include "suite/problem/lexer.hpp"
#include "suite/problem/reference_terms.hpp"

namespace podium::problem {
namespace {

bool is_symbol(const Token& token, std::string_view text) {
  return token.kind == Token::Kind::symbol && token.text == text;
}
bool opens(const Token& token) {
  return is_symbol(token, "(") || is_symbol(token, "[") || is_symbol(token, "{");
}
bool closes(const Token& token) {
  return is_symbol(token, ")") || is_symbol(token, "]") || is_symbol(token, "}");
}

void merge(Dependence& into, const Dependence& other) {
  into.probe = into.probe || other.probe;
  for (std::size_t t = 0; t < into.written.size(); ++t)
    if (other.written[t]) into.written[t] = true;
}

}  // namespace

std::vector<Access> accesses(std::string_view term) {
  const std::vector<Token> tokens = tokenise(term);
  std::vector<Access> found;
  for (const Call& call : calls(tokens)) {
    Access access;
    access.name = call.name;
    const std::size_t at = call.token;
    if (at >= 2 && is_symbol(tokens[at - 1], ".") && tokens[at - 2].kind == Token::Kind::name) {
      access.name = tokens[at - 2].text;
      access.member = call.name;
    }
    std::size_t first = at + 2, next = first;  // behind the parenthesis
    access.first = first;
    for (int depth = 0; next < tokens.size() && depth >= 0; ++next) {
      if (opens(tokens[next])) ++depth;
      if (closes(tokens[next])) --depth;
      if (depth >= 0 && !(depth == 0 && is_symbol(tokens[next], ","))) continue;
      const bool lone = next == first + 1 && tokens[first].kind == Token::Kind::name;
      access.arguments.push_back(lone ? tokens[first].text : "");
      first = next + 1;
    }
    access.last = next == access.first ? next : next - 1;
    if (call.arguments == 0) access.arguments.clear();
    found.push_back(std::move(access));
  }
  return found;
}

std::vector<Access> accesses(const Reference& reference) {
  std::vector<Access> found;
  for (const Text* term : terms_of(reference))
    for (Access& access : accesses(term->text)) found.push_back(std::move(access));
  return found;
}

std::size_t reference_named(const Problem& problem, std::string_view name) {
  const auto& all = problem.references;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Reference& r) { return r.name == name; });
  return found == all.end() ? no_reference : static_cast<std::size_t>(found - all.begin());
}

Meaning meaning(const Problem& problem, const Reference& site, std::string_view name,
                std::string_view member) {
  using Kind = Meaning::Kind;
  const Tensor* tensor = problem.tensor(name);
  const std::size_t reference = reference_named(problem, name);
  if (tensor) {
    const auto t = static_cast<std::size_t>(tensor - problem.tensors.data());
    if (member == "initial") return {tensor->role == Role::inout ? Kind::input : Kind::other, t};
    if (tensor->role == Role::input) return {member.empty() ? Kind::input : Kind::other, t};
    if (member.empty() && (site.check || reference == no_reference)) return {Kind::written, t};
  }
  const auto& structure = problem.structure;
  for (std::size_t s = 0; s < structure.size(); ++s)
    if (structure[s].name == name) return {member.empty() ? Kind::structure : Kind::other, s};
  const bool named = member.empty() || (member == "reference" && site.check && tensor);
  if (named && reference != no_reference) return {Kind::reference, reference};
  return {};
}

bool Dependence::on_contestant() const {
  return std::find(written.begin(), written.end(), true) != written.end();
}

std::vector<Dependence> dependences(const Problem& problem) {
  std::vector<Dependence> all;
  for (const Reference& site : problem.references) {
    Dependence own{std::vector<bool>(problem.tensors.size(), false), site.probe};
    for (const Access& access : accesses(site)) {
      const Meaning what = meaning(problem, site, access);
      if (what.kind == Meaning::Kind::written) own.written[what.index] = true;
      if (what.kind == Meaning::Kind::reference && what.index < all.size()) merge(own, all[what.index]);
    }
    all.push_back(std::move(own));
  }
  return all;
}

}  // namespace podium::problem
