// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The forms of a reference: value, reduce, scan, scatter, recur, order, code, host.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "suite/problem/parse/parsing.hpp"

namespace podium::problem {

// A C++ text of a reference, where it stands, and the indices that it may not use.
struct Term {
  Cursor cursor;
  std::vector<std::string> hidden = {};
  bool next = false;   // of a recurrence: may call the reference itself
  bool bound = false;  // of a range
};

// Reads the one form that `cursor`, a reference or a general check, has into `reference`, whose index is read
// already. `own`: that index's names. Returns the texts whose calls are to be looked up; fewer after
// mistakes.
std::vector<Term> parse_form(Parsing& parsing, const Cursor& cursor, Reference& reference,
                             std::set<std::string>& own);

// Every output is verified on every workload: those whose reference or check needs the form host, which only
// test workloads evaluate, by another check as well.
void parse_host_outputs(Parsing& parsing);

}  // namespace podium::problem
