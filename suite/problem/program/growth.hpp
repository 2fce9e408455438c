// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A formula evaluated for each element, with the meaning that suite/problem/formula/formula.hpp gives it:
// real arithmetic in fp64 whatever the operands, truth as 1 or 0.
#pragma once
#include "access.hpp"

namespace podium::program {

struct Real {
  double value;
  template <class T, enable_if<is_floating<T> || is_integral<T> || is_index<T>> = 0>
  PODIUM_DEVICE Real(T x) : value(double(x)) {}
  PODIUM_DEVICE static Real truth(bool holds) { return holds ? 1 : 0; }
  PODIUM_DEVICE explicit operator bool() const { return value != 0; }

  PODIUM_DEVICE friend Real operator+(Real a) { return a; }
  PODIUM_DEVICE friend Real operator-(Real a) { return -a.value; }
  PODIUM_DEVICE friend Real operator+(Real a, Real b) { return a.value + b.value; }
  PODIUM_DEVICE friend Real operator-(Real a, Real b) { return a.value - b.value; }
  PODIUM_DEVICE friend Real operator*(Real a, Real b) { return a.value * b.value; }
  PODIUM_DEVICE friend Real operator/(Real a, Real b) { return a.value / b.value; }
  PODIUM_DEVICE friend Real operator<(Real a, Real b) { return truth(a.value < b.value); }
  PODIUM_DEVICE friend Real operator>(Real a, Real b) { return truth(a.value > b.value); }
  PODIUM_DEVICE friend Real operator<=(Real a, Real b) { return truth(a.value <= b.value); }
  PODIUM_DEVICE friend Real operator>=(Real a, Real b) { return truth(a.value >= b.value); }
  PODIUM_DEVICE friend Real operator==(Real a, Real b) { return truth(a.value == b.value); }
  PODIUM_DEVICE friend Real operator!=(Real a, Real b) { return truth(a.value != b.value); }
  PODIUM_DEVICE friend Real operator&&(Real a, Real b) { return truth(bool(a) && bool(b)); }
  PODIUM_DEVICE friend Real operator||(Real a, Real b) { return truth(bool(a) || bool(b)); }

  PODIUM_DEVICE friend Real abs(Real x) { return absolute(x.value); }
  PODIUM_DEVICE friend Real ceil(Real x) { return PODIUM_MATH(ceil, x.value); }
  PODIUM_DEVICE friend Real ceil_div(Real a, Real b) { return PODIUM_MATH(ceil, a.value / b.value); }
  PODIUM_DEVICE friend Real erf(Real x) { return PODIUM_MATH(erf, x.value); }
  PODIUM_DEVICE friend Real exp(Real x) { return PODIUM_MATH(exp, x.value); }
  PODIUM_DEVICE friend Real floor(Real x) { return PODIUM_MATH(floor, x.value); }
  PODIUM_DEVICE friend Real ldexp(Real x, Real k) { return x.value * PODIUM_MATH(exp2, k.value); }
  PODIUM_DEVICE friend Real log(Real x) { return PODIUM_MATH(log, x.value); }
  PODIUM_DEVICE friend Real log2(Real x) { return PODIUM_MATH(log2, x.value); }
  PODIUM_DEVICE friend Real pow(Real a, Real b) { return PODIUM_MATH(pow, a.value, b.value); }
  PODIUM_DEVICE friend Real sqrt(Real x) { return PODIUM_MATH(sqrt, x.value); }
  PODIUM_DEVICE friend Real tanh(Real x) { return PODIUM_MATH(tanh, x.value); }
  PODIUM_DEVICE friend Real min(Real a) { return a; }
  PODIUM_DEVICE friend Real min(Real a, Real b) { return b.value < a.value ? b : a; }
  PODIUM_DEVICE friend Real max(Real a) { return a; }
  PODIUM_DEVICE friend Real max(Real a, Real b) { return a.value < b.value ? b : a; }
};
template <class... More>
PODIUM_DEVICE Real min(Real a, Real b, Real c, More... more) {
  return min(min(a, b), c, more...);
}
template <class... More>
PODIUM_DEVICE Real max(Real a, Real b, Real c, More... more) {
  return max(max(a, b), c, more...);
}

// The generator writes `a *podium_remainder% b` for `a % b`: * and % bind alike, from left to right. Of what
// has no remainder a fault is noted: target is the output whose formula this is.
struct Remainder {
  Words words;
  int site, target;
  FaultKind fault;
};
struct Divisible {
  Real value;
  Remainder of;
  PODIUM_DEVICE friend Real operator%(Divisible a, Real b) {
    const double x = a.value.value, y = b.value;
    const bool whole =
        is_finite(x) && is_finite(y) && PODIUM_MATH(floor, x) == x && PODIUM_MATH(floor, y) == y;
    if (whole && y != 0) return PODIUM_MATH(fmod, x, y);
    const i64 at[2] = {i64(bits_of(x)), i64(bits_of(y))};
    note_fault(a.of.words, a.of.fault, a.of.site, a.of.target, at);
    return 0;
  }
};
PODIUM_DEVICE Divisible operator*(Real value, Remainder of) { return {value, of}; }

// Structure number s as a formula calls it: with numbers that must be whole and within its part in use.
template <class T, int s, int place, int rank>
struct RealStructure {
  Words words;
  int site;
  FaultKind fault;
  template <class... R>
  PODIUM_DEVICE Real operator()(R... index) const {
    static_assert(sizeof...(R) == rank, "as many indices as structure has axes");
    const double at[rank + 1] = {Real(index).value...};
    bool inside = true;
    i64 offset = 0;
    for (int k = 0; k < rank; ++k) {
      const i64 extent = words.integer(place + 1 + k);
      inside = inside && at[k] >= 0 && at[k] < double(extent) && PODIUM_MATH(floor, at[k]) == at[k];
      offset = inside ? offset * extent + i64(at[k]) : 0;
    }
    if (inside) return widen(load(words.address<const T>(place), offset));
    i64 bits[rank + 1];
    for (int k = 0; k <= rank; ++k) bits[k] = i64(bits_of(at[k]));
    note_fault(words, fault, site, structure_target + s, bits);
    return 0;
  }
};

// What growth makes of a scale. No growth is negative: it would be a limit that grows where it should shrink.
PODIUM_DEVICE double grown(Real growth, double scale) {
  return growth.value >= 0 ? growth.value * absolute(scale) : double_of(u64(0x7ff8) << 48);
}

}  // namespace podium::program
