// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The terms of fills by `value`: what they may be made of, so that every backend computes the same bits.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace podium::problem {

inline constexpr int most_draws = 1 << 16;  // numbers of draws run from 0 to most_draws - 1

// Functions that a term may call, sorted.
const std::vector<std::string>& fill_functions();

// random and normal.
const std::set<std::string>& draw_functions();

// What is wrong with the draws of a fill's term: one sentence each, without place.
std::vector<std::string> faults_of_draws(const std::string& term);

// A term of a fill by `value`:
// + - * / % ?: ( ) comparisons, && || ! and bits' operators; min max abs floor ceil sqrt ldexp ceil_div;
// infinity; random(k), normal(k), and both with coordinates: random(k, i, …). All of these are exact, or
// rounded once and to the nearest, on every device.
//
// What is wrong with a term that may use the numbers `known`: one sentence each, without place; none if all
// is well.
std::vector<std::string> faults_of_fill_term(const std::string& term, const std::vector<std::string>& known);

}  // namespace podium::problem
