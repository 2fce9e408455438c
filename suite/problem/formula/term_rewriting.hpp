// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// C++ terms and bodies of a problem, rewritten for the judge's program: integer divisions guarded, since by
// zero they are a fault of the problem and not of the process, and reals that carry their magnitude.
#pragma once
#include <string>
#include <string_view>

namespace podium::problem {

// The term with every `/` and `%` led through podium_checked (suite/problem/program/divide.hpp), which binds
// as they do: `a / b` becomes `a *podium_checked/ b`, `a /= b` becomes `a /= podium_checked = b`. Left alone:
// comments, literals, and divisors that are a literal other than 0. Lines stay lines.
std::string guarded(std::string_view term);

// The text of a body with Number in place of double wherever that declares something, and with every result
// returned as one: `double all = 0; … return all;`. A conversion, `double(x)`, stays: what it gives counts by
// its own size. So do constexpr and static constants. No line is added.
std::string with_counted_reals(std::string_view body);

}  // namespace podium::problem
