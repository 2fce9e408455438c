// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Looks at the tokens of terms: what stands where the fault can have come from, and what that reads.
#include "suite/problem/generate/blame.hpp"
#include "suite/problem/formula/reference_forms.hpp"

#include <algorithm>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/formula/term_names.hpp"

namespace podium::problem {
namespace {

using program::Fault;

// One C++ text of a reference.
class Term {
 public:
  Term(const Problem& problem, const Reference& site, const std::vector<Dependence>& depends,
       std::string_view text)
      : problem_(problem),
        site_(site),
        depends_(depends),
        tokens_(tokenise(text)),
        accesses_(accesses(text)) {}

  // Whether a token of [first, last) is read from the contestant, or is a variable that the term itself
  // declares: it may hold anything that the term reads.
  bool tainted(std::size_t first, std::size_t last) const {
    for (std::size_t at = first; at < last; ++at)
      if (is_own_variable(at)) return true;
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& access) {
      return access.first > first && access.last <= last && from_contestant(access);
    });
  }
  bool tainted() const { return tainted(0, tokens_.size()); }

  // Whether a call of the fault's target has such an argument.
  bool access_is(const Fault& fault) const {
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& access) {
      return is_target(access, fault) && tainted(access.first, access.last);
    });
  }

  // Whether something is divided by such a number: behind / or %, or in ceil_div(…).
  bool divisor_is() const {
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at)
      if ((is(at, "/") || is(at, "%")) && tainted(at + 1, end_of_divisor(at + 1))) return true;
    return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access& access) {
      return access.name == "ceil_div" && tainted(access.first, access.last);
    });
  }

 private:
  bool is(std::size_t at, std::string_view symbol) const {
    return at < tokens_.size() && is_symbol(tokens_[at], symbol);
  }
  bool is_name(std::size_t at) const { return at < tokens_.size() && tokens_[at].kind == Token::Kind::name; }
  bool opens(std::size_t at) const { return at < tokens_.size() && opens_bracket(tokens_[at]); }
  bool closes(std::size_t at) const { return at < tokens_.size() && closes_bracket(tokens_[at]); }

  bool is_own_variable(std::size_t at) const {
    if (!is_name(at) || is(at + 1, "(") || is(at + 1, ".") || is_rounding_type(tokens_, at)) return false;
    const auto named = [&](const auto& item) { return item.name == tokens_[at].text; };
    const auto has = [&](const auto& list) { return std::any_of(list.begin(), list.end(), named); };
    return !has(site_.index) && !has(site_.over) && !has(problem_.axes) && !has(problem_.parameters) &&
           !has(problem_.constants) && !has(problem_.structure) && tokens_[at].text != "infinity" &&
           !is_keyword(tokens_[at].text);
  }

  bool from_contestant(const Access& access) const {
    const Meaning what = meaning(problem_, site_, access);
    return what.kind == Meaning::Kind::written ||
           (what.kind == Meaning::Kind::reference && depends_[what.index].on_contestant());
  }

  bool is_target(const Access& access, const Fault& fault) const {
    const auto structure = static_cast<std::size_t>(fault.target - program::structure_target);
    if (fault.kind == program::fault_segment)
      return access.name == "segment" && is_name(access.first) &&
             tokens_[access.first].text == problem_.structure[structure].name;
    const Meaning what = meaning(problem_, site_, access);
    if (fault.target >= program::structure_target)
      return what.kind == Meaning::Kind::structure && what.index == structure;
    if (fault.target >= 0)
      return (what.kind == Meaning::Kind::input || what.kind == Meaning::Kind::written) &&
             what.index == static_cast<std::size_t>(fault.target);
    const auto target = static_cast<std::size_t>(-1 - fault.target);
    const bool assigned =
        site_.form->assigns && access.name == "out" && &problem_.references[target] == &site_;
    return assigned || (what.kind == Meaning::Kind::reference && what.index == target);
  }

  // Behind the operand that begins at `at`; behind the statement if it is that of /= or %=.
  std::size_t end_of_divisor(std::size_t at) const {
    if (is(at, "=")) {
      while (at < tokens_.size() && !is(at, ";")) ++at;
      return at;
    }
    while (is(at, "-") || is(at, "+") || is(at, "!") || is(at, "~")) ++at;
    bool begun = false;
    while (at < tokens_.size()) {
      if (opens(at)) {
        at = end_of_group(at);
      } else if (is(at, ".") || is(at, "::")) {
        at += 2;
      } else if (begun && is(at, "<") && tokens_[at - 1].text == "static_cast") {
        while (at < tokens_.size() && !is(at, ">")) ++at;
        ++at;
      } else if (!begun && !closes(at)) {
        ++at;
      } else {
        break;
      }
      begun = true;
    }
    return std::min(at, tokens_.size());
  }
  std::size_t end_of_group(std::size_t at) const {
    int depth = 0;
    do {
      depth += opens(at) - closes(at);
      ++at;
    } while (at < tokens_.size() && depth > 0);
    return at;
  }

  const Problem& problem_;
  const Reference& site_;
  const std::vector<Dependence>& depends_;
  std::vector<Token> tokens_;
  std::vector<Access> accesses_;
};

}  // namespace

bool is_contestants(const Problem& problem, const Fault& fault) {
  if (fault.site < 0) return false;  // fills are drawn before a contestant runs
  const auto r = static_cast<std::size_t>(fault.site);
  const Reference& site = problem.references[r];
  const auto depends = dependences(problem);
  if (!depends[r].on_contestant()) return false;
  const auto any = [&](const auto& texts, const auto& holds) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return holds(Term(problem, site, depends, text)); });
  };
  std::vector<std::string> all, targets;
  for (const Text* text : terms_of(site)) all.push_back(text->text);
  for (const Text& text : site.targets) targets.push_back(text.text);
  switch (fault.kind) {
    case program::fault_range:
    case program::fault_step:
    case program::fault_segment:
      return any(all, [&](const Term& term) { return term.access_is(fault); });
    case program::fault_target:
      return any(targets, [](const Term& term) { return term.tainted(); });
    case program::fault_division:
      return any(all, [](const Term& term) { return term.divisor_is(); });
    default:  // limits and the lengths of lines depend on the problem alone
      return false;
  }
}

}  // namespace podium::problem
