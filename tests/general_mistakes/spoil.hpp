// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What becomes of a right answer by each mistake; or the reason why a mistake is none there.
#pragma once
#include <podium/error.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "elements.hpp"
#include "mistakes.hpp"

namespace podium::mistakes {

// Of the output, from the problem.
struct Facts {
  int digits = 0;        // binary, behind the point; of the accumulator where that has fewer; 0: integers
  bool has_nan = false;  // its dtype has one
  bool part = false;     // only some rows may be in use
  bool padding = false;  // its layout has places that are never verified
};

constexpr std::int64_t tile = 32;  // elements

template <class Number>
struct Answer {
  Shape shape;
  std::vector<Number> numbers;
};

// A spoilt answer: from `written` on, elements are left as they were found.
template <class Number>
struct Spoilt {
  std::vector<Number> numbers;
  std::int64_t written;
};

inline double largest(const std::vector<double>& numbers) {
  double most = 0;
  for (const double x : numbers)
    if (std::isfinite(x)) most = std::fmax(most, std::fabs(x));
  return most;
}
inline std::int64_t largest(const std::vector<std::int64_t>&) { return 1; }

// By how much an element must move before no tolerance should admit it. Integers: 1. Floating numbers: half
// of their digits (four units in the last place, but not below zero, where they are few), at the largest
// magnitude there is, where relative errors of sums are least. It does not look at the problem's tolerance:
// one that admits this is found.
inline double step(const std::vector<double>& right, const Facts& facts) {
  const int digits = std::max(0, std::min(facts.digits / 2, facts.digits - 2));
  return std::ldexp(largest(right), -digits);
}
inline std::int64_t step(const std::vector<std::int64_t>&, const Facts&) { return 1; }

inline double moved(double from, double to) {
  if (from == to || (std::isnan(from) && std::isnan(to))) return 0;
  return std::isfinite(from) && std::isfinite(to) ? std::fabs(from - to)
                                                  : std::numeric_limits<double>::infinity();
}
inline std::int64_t moved(std::int64_t from, std::int64_t to) { return from != to; }

[[noreturn]] inline void none(const char* reason) { throw Unsupported(reason); }

template <class Number>
void shift(std::vector<Number>& numbers, std::int64_t at, Number by) {
  Number& x = numbers[std::size_t(at)];
  x += x > 0 ? -by : by;  // towards zero: never beyond what the dtype holds
}

inline double half_of_digits(double x, const Facts& facts) {
  if (x == 0 || !std::isfinite(x)) return x;
  const double unit = std::ldexp(1.0, std::ilogb(x) - facts.digits / 2);
  return std::nearbyint(x / unit) * unit;
}

// `before`: the right answer of the call before, empty on the first. `others`: tensors of its type and size.
// Throws Unsupported: why the mistake is none here.
template <class Number>
Spoilt<Number> spoil(Mistake mistake, const Answer<Number>& answer, const Facts& facts,
                     const std::vector<Number>& before, const std::vector<std::vector<Number>>& others) {
  const std::vector<Number>& right = answer.numbers;
  const auto size = std::int64_t(right.size());
  const std::int64_t columns = answer.shape.columns();
  Spoilt<Number> spoilt{right, size};
  std::vector<Number>& wrong = spoilt.numbers;
  if (size == 0) none("it has no elements");
  // Of an awkward length: the elements behind its last full tile, or the last one alone.
  const std::int64_t rest = size > tile ? (size - 1) % tile + 1 : 1;
  const bool places = mistake != Mistake::nothing && mistake != Mistake::stale && mistake != Mistake::zeros &&
                      mistake != Mistake::rounded && mistake != Mistake::first_off;
  if (facts.padding && places) none("its layout has padding, which is never verified");

  switch (mistake) {
    case Mistake::none:
      break;
    case Mistake::nothing:
      spoilt.written = 0;
      break;
    case Mistake::first_off:
      shift(wrong, 0, Number(step(right, facts)));
      break;
    case Mistake::last_off:
      if (size == 1) none("its last element is its first");
      shift(wrong, size - 1, Number(step(right, facts)));
      break;
    case Mistake::largest_off: {
      std::int64_t at = 0;
      for (std::int64_t i = 0; i < size; ++i)
        if (moved(Number(0), right[std::size_t(i)]) > moved(Number(0), right[std::size_t(at)]) &&
            std::isfinite(double(right[std::size_t(i)])))
          at = i;
      if (at == 0 || at == size - 1) none("its largest element is its first or last");
      shift(wrong, at, Number(step(right, facts)));
      break;
    }
    case Mistake::not_a_number:
      if (!facts.has_nan) none("its dtype has no NaN");
      wrong[std::size_t(size / 2)] = std::numeric_limits<Number>::quiet_NaN();
      break;
    case Mistake::zeros:
      wrong.assign(right.size(), 0);
      break;
    case Mistake::stale:
      if (before.size() == right.size()) wrong = before;
      break;
    case Mistake::transposed: {
      const auto& extents = answer.shape.extents;
      const std::int64_t rows = extents.size() < 2 ? 1 : extents[extents.size() - 2];
      if (rows < 2 || columns < 2) none("it has one row or one column");
      for (std::int64_t i = 0; i < size; ++i) {
        const std::int64_t matrix = i - i % (rows * columns), row = i / columns % rows, column = i % columns;
        wrong[std::size_t(matrix + column * rows + row)] = right[std::size_t(i)];
      }
      break;
    }
    case Mistake::short_tile:
      if (size == 1) none("it has one element");
      spoilt.written = size - rest;
      break;
    case Mistake::shifted:
      if (size == 1) none("it has one element");
      for (std::int64_t i = size - rest; i < size; ++i) wrong[std::size_t(i)] = right[std::size_t(i - 1)];
      break;
    case Mistake::first_row: {  // of a vector: its first tile
      const std::int64_t row = answer.shape.extents.size() < 2 ? tile : columns;
      if (size <= row) none("it has one row");
      for (std::int64_t i = row; i < size; ++i) wrong[std::size_t(i)] = right[std::size_t(i % row)];
      break;
    }
    case Mistake::swapped:
      if (others.empty()) none("no other tensor has its type and size");
      for (const auto& other : others)
        if (wrong == right) wrong = other;
      break;
    case Mistake::rounded:
      if (facts.digits < 3) none("its dtype has fewer than three digits behind the point");
      for (Number& x : wrong) x = Number(half_of_digits(double(x), facts));
      break;
  }
  return spoilt;
}

}  // namespace podium::mistakes
