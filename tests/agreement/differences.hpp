// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Two evaluations of the same references, element by element.
#pragma once
#include <string>
#include <vector>

#include "suite/problem/model/problem.hpp"
#include "tests/judge/recorded.hpp"

namespace podium::agreement {

// Of two fp64 values, relative to the larger of their sizes and magnitudes (sums of the absolute values of
// what they are made of, which is what their rounding errors are proportional to). Two devices add in
// different orders, of up to 10^5 terms, may or may not contract a * b + c, and have functions that err by an
// ulp or two: some 10^-14 at most, where an error in a term shows at 10^-7 or more, one in a single term of
// 10^5 at 10^-5.
inline constexpr double rounding = 1e-12;
// Where no magnitude is kept, a sum may cancel to anything. Its terms are about as large as the evaluation's
// largest value, so a small value may differ by a few thousand ulps of that.
inline constexpr double cancelled = 1e-13;

struct Difference {
  std::string reference;  // its name
  std::string text;       // the first element that differs, both numbers, how many differ
};

struct Comparison {
  std::vector<Difference> differences;
  std::vector<std::size_t> elements;  // how many were compared, by evaluation
  double worst = 0;                   // largest difference over its limit
  void compare(const problem::Problem& problem, std::size_t evaluations,
               const std::vector<judge::Evaluated>& left, const std::vector<judge::Evaluated>& right);
};

}  // namespace podium::agreement
