// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Indices of outputs and references, and the positions that they run over: a sampled set, or a whole range.
#pragma once
#include "kernel.hpp"

namespace podium::program {

// A member of sampled set `set`: its value, and its place in the set's list, which says where results are
// stored. It converts to its value; that the two cannot be mixed up is the compiler's business.
template <int set>
struct Index {
  i64 value, slot;
  PODIUM_DEVICE operator i64() const { return value; }
};
template <class T>
inline constexpr bool is_index = false;
template <int set>
inline constexpr bool is_index<Index<set>> = true;

// An index written as an expression: any integer; a real number is a compile error.
struct Coordinate {
  i64 value;
  template <class T, enable_if<is_integral<T>> = 0>
  PODIUM_DEVICE Coordinate(T x) : value(i64(x)) {}
  template <int set>
  PODIUM_DEVICE Coordinate(Index<set> x) : value(x.value) {}
  Coordinate(double) = delete;
};

// What bounds of ranges and scattered indices are: integers, else a compile error.
PODIUM_DEVICE i64 whole_number(Coordinate x) { return x.value; }

// One position of a result's index. `bounds`: where the words low and extent of the stated range are.
// list: where the words address of the list (0: the set is the whole range), low and count of the set are.
template <int set, int list, int bounds>
struct Sampled {
  using Type = Index<set>;
  using Argument = Index<set>;
  PODIUM_DEVICE static i64 count(Words w) { return w.integer(list + 2); }
  PODIUM_DEVICE static Type at(Words w, i64 slot) {
    const i64* const values = w.address<const i64>(list);
    return {values ? values[slot] : w.integer(list + 1) + slot, slot};
  }
  PODIUM_DEVICE static i64 slot(Words, Argument index) { return index.slot; }
  PODIUM_DEVICE static i64 value(Argument index) { return index.value; }
  PODIUM_DEVICE static bool holds(Words w, i64 value) {
    return u64(value) - u64(w.integer(bounds)) < u64(w.integer(bounds + 1));
  }
};
template <int bounds>
struct Whole {
  using Type = i64;
  using Argument = Coordinate;
  PODIUM_DEVICE static i64 count(Words w) { return w.integer(bounds + 1); }
  PODIUM_DEVICE static Type at(Words w, i64 slot) { return w.integer(bounds) + slot; }
  PODIUM_DEVICE static i64 slot(Words w, Argument index) { return index.value - w.integer(bounds); }
  PODIUM_DEVICE static i64 value(Argument index) { return index.value; }
  PODIUM_DEVICE static bool holds(Words w, i64 value) {
    return u64(value) - u64(w.integer(bounds)) < u64(w.integer(bounds + 1));
  }
};

// Neighbouring values of one position; the last one again where the position ends sooner.
inline constexpr int few = 4;
template <class Type>
struct Few {
  Type at[few];
};
template <class Position>
PODIUM_DEVICE i64 fews_of(Words w) {
  return (Position::count(w) + few - 1) / few;
}

// Takes a linear number apart, innermost position first.
struct Unravel {
  i64 rest;
  PODIUM_DEVICE i64 remainder(i64 count) {
    const i64 whole = quotient(rest, count), left = rest - whole * count;
    rest = whole;
    return left;
  }
  template <class Position>
  PODIUM_DEVICE typename Position::Type take(Words w) {
    return Position::at(w, remainder(Position::count(w)));
  }
  template <class Position>
  PODIUM_DEVICE Few<typename Position::Type> take_few(Words w) {
    const i64 first = few * remainder(fews_of<Position>(w)), last = Position::count(w) - 1;
    Few<typename Position::Type> values;
    for (int k = 0; k < few; ++k) values.at[k] = Position::at(w, first + k < last ? first + k : last);
    return values;
  }
  template <class Position>
  PODIUM_DEVICE typename Position::Type last(Words w) const {
    return Position::at(w, rest);
  }
};

}  // namespace podium::program
