// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Integer divisions in terms, guarded: by zero they are a fault of the problem, not of the process.
#pragma once
#include <string>
#include <string_view>

namespace podium::problem {

// The term with every `/` and `%` led through podium_checked (suite/problem/program/divide.hpp), which binds
// as they do: `a / b` becomes `a *podium_checked/ b`, `a /= b` becomes `a /= podium_checked = b`. Left alone:
// comments, literals, and divisors that are a literal other than 0. Lines stay lines.
std::string guarded(std::string_view term);

}  // namespace podium::problem
