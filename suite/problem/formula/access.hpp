// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the names called in a C++ term stand for: x(…), x.initial(…), y.reference(…).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// A call `name(…)` or `name.member(…)` in a term.
struct Access {
  std::string name, member;            // member: "" where there is none
  std::vector<std::string> arguments;  // those that are nothing but a name; "" for other expressions
  std::size_t first = 0, last = 0;     // tokens of the term between the parentheses: [first, last)
};
std::vector<Access> accesses(std::string_view term);
// Those of every text of a reference (terms_of() of reference_terms.hpp); `first` and `last` are of its own.
std::vector<Access> accesses(const Reference& reference);

// input: what the judge filled, for inout tensors the values before the call. written: what the contestant
// wrote. reference: number `index` of Problem::references. structure: the judge's own numbers. other: a
// function, or nothing that is known.
struct Meaning {
  enum class Kind { other, input, written, reference, structure };
  Kind kind = Kind::other;
  std::size_t index = 0;  // into Problem::tensors, Problem::references or Problem::structure
};
// What `name.member` means in the term of `site`: in checks an output is what the contestant wrote; elsewhere
// it is its reference if it has one. In a derived fill its own tensor is the fill itself.
Meaning meaning(const Problem& problem, const Reference& site, std::string_view name,
                std::string_view member);
inline Meaning meaning(const Problem& problem, const Reference& site, const Access& access) {
  return meaning(problem, site, access.name, access.member);
}

// The index in Problem::references of the reference of that name; npos if there is none.
inline constexpr std::size_t no_reference = static_cast<std::size_t>(-1);
std::size_t reference_named(const Problem& problem, std::string_view name);

// For each reference: the tensors whose contestant's values it depends on, and whether on a probe; through
// every reference that it calls. `references` are in order: each uses only earlier ones.
struct Dependence {
  std::vector<bool> written;  // by tensor
  bool probe = false;
  bool on_contestant() const;
};
std::vector<Dependence> dependences(const Problem& problem);

}  // namespace podium::problem
