// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/access.hpp"

#include <algorithm>

#include "suite/problem/lexer.hpp"

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

// Whether token `at` is a variable that the term itself declares: it may hold anything that the term reads.
bool is_own_variable(const Problem& problem, const Reference& site, const std::vector<Token>& tokens,
                     std::size_t at) {
  if (tokens[at].kind != Token::Kind::name) return false;
  if (at + 1 < tokens.size() && (is_symbol(tokens[at + 1], "(") || is_symbol(tokens[at + 1], ".")))
    return false;
  const auto named = [&](const auto& item) { return item.name == tokens[at].text; };
  const auto has = [&](const auto& list) { return std::any_of(list.begin(), list.end(), named); };
  return !has(site.index) && !has(site.over) && !has(problem.axes) && !has(problem.parameters) &&
         !has(problem.constants);
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
    for (const Access& access : accesses(site.term.text)) {
      const Meaning what = meaning(problem, site, access);
      if (what.kind == Meaning::Kind::written) own.written[what.index] = true;
      if (what.kind == Meaning::Kind::reference && what.index < all.size()) merge(own, all[what.index]);
    }
    all.push_back(std::move(own));
  }
  return all;
}

bool index_is_contestants(const Problem& problem, std::size_t site, int target) {
  const Reference& reference = problem.references[site];
  const auto depends = dependences(problem);
  if (!depends[site].on_contestant()) return false;
  const std::vector<Token> tokens = tokenise(reference.term.text);
  const auto all = accesses(reference.term.text);
  const auto from_contestant = [&](const Access& inner) {
    const Meaning what = meaning(problem, reference, inner);
    return what.kind == Meaning::Kind::written ||
           (what.kind == Meaning::Kind::reference && depends[what.index].on_contestant());
  };
  return std::any_of(all.begin(), all.end(), [&](const Access& outer) {
    const Meaning what = meaning(problem, reference, outer);
    const bool is_reference = what.kind == Meaning::Kind::reference;
    if (what.kind == Meaning::Kind::other || is_reference != (target < 0)) return false;
    if (static_cast<int>(what.index) != (target < 0 ? -1 - target : target)) return false;
    for (std::size_t at = outer.first; at < outer.last; ++at)
      if (is_own_variable(problem, reference, tokens, at)) return true;
    return std::any_of(all.begin(), all.end(), [&](const Access& inner) {
      return inner.first > outer.first && inner.last <= outer.last && from_contestant(inner);
    });
  });
}

}  // namespace podium::problem
