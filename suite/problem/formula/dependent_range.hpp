// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How long the ranges of loops get whose bounds use outer indices.
#pragma once
#include <cstddef>
#include <cstdint>

#include "suite/problem/formula/formula.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::problem {

// Most values of the range of over[k], which is dependent: what it states, else the most found by trying the
// first, middle and last value of every outer index; with structure, a guess from a few more. It decides how
// work is split and, for an order, how much memory a line gets (which must therefore state it where structure
// is used); results do not depend on it. Throws podium::Error: a sentence without place - "found …, expected
// …".
std::int64_t most_values(const Reference& reference, std::size_t k, const Scope& scope);

}  // namespace podium::problem
