// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/access.hpp"

#include <algorithm>

#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_terms.hpp"

namespace podium::problem {
namespace {

void merge(Dependence& into, const Dependence& other) {
  into.probe = into.probe || other.probe;
  for (std::size_t t = 0; t < into.written.size(); ++t)
    if (other.written[t]) into.written[t] = true;
}

}  // namespace

std::vector<Access> accesses(std::string_view term) {
  const std::vector<Token> tokens = tokenise(term);
  constexpr std::size_t no_call = static_cast<std::size_t>(-1);
  struct Open {          // a bracket that is not closed yet
    std::size_t access;  // index into found; no_call: no call's
    std::size_t first;   // token of its next argument
  };
  std::vector<Access> found;
  std::vector<Open> open;
  const auto argument = [&](Open& of, std::size_t end) {
    const bool lone = end == of.first + 1 && tokens[of.first].kind == Token::Kind::name;
    found[of.access].arguments.push_back(lone ? tokens[of.first].text : "");
    of.first = end + 1;
  };
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (closes_bracket(tokens[at])) {
      if (open.empty()) continue;
      Open last = open.back();
      open.pop_back();
      if (last.access == no_call) continue;
      found[last.access].last = at;
      if (found[last.access].first < at) argument(last, at);
    } else if (is_symbol(tokens[at], ",")) {
      if (!open.empty() && open.back().access != no_call) argument(open.back(), at);
    } else if (is_symbol(tokens[at], "(") && at > 0 && tokens[at - 1].kind == Token::Kind::name) {
      const bool member =
          at >= 3 && is_symbol(tokens[at - 2], ".") && tokens[at - 3].kind == Token::Kind::name;
      Access access;
      access.name = tokens[member ? at - 3 : at - 1].text;
      if (member) access.member = tokens[at - 1].text;
      access.first = at + 1;
      access.last = std::max(access.first, tokens.size() - 1);  // until it is closed
      open.push_back({found.size(), at + 1});
      found.push_back(std::move(access));
    } else if (opens_bracket(tokens[at])) {
      open.push_back({no_call, at + 1});
    }
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
  if (!site.fills.empty() && name == site.fills && member.empty())
    return {Kind::reference, reference_named(problem, site.name)};
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
