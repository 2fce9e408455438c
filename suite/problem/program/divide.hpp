// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Division in terms. Of integers by zero it is recorded and gives 0; of the lowest integer by -1 it wraps.
// The generator writes `a *podium_checked/ b` for `a / b`: the operators * / % bind alike, from left to
// right, so that whatever stands around them means the same.
#pragma once
#include "access.hpp"

namespace podium::program {

template <class T>
PODIUM_DEVICE auto whole_operand(T x) {
  if constexpr (is_index<T>)
    return x.value;
  else
    return x;
}

template <class R>
PODIUM_DEVICE bool undefined_quotient(Words words, int site, R a, R b) {
  if (b != 0) return false;
  const i64 at[1] = {i64(a)};
  note_fault(words, fault_division, site, 0, at);
  return true;
}
template <class R>
inline constexpr bool is_signed = R(-1) < R(0);

template <class A, class B>
PODIUM_DEVICE auto quotient(Words words, int site, A a, B b) {
  if constexpr (is_whole<A> && is_whole<B>) {
    using R = decltype(whole_operand(a) / whole_operand(b));
    const R x = R(whole_operand(a)), y = R(whole_operand(b));
    if (undefined_quotient(words, site, x, y)) return R(0);
    if constexpr (is_signed<R>)
      if (y == R(-1)) return R(u64(0) - u64(x));
    return R(x / y);
  } else {
    return a / b;
  }
}
template <class A, class B>
PODIUM_DEVICE auto remainder(Words words, int site, A a, B b) {
  using R = decltype(whole_operand(a) % whole_operand(b));
  const R x = R(whole_operand(a)), y = R(whole_operand(b));
  if (undefined_quotient(words, site, x, y)) return R(0);
  if constexpr (is_signed<R>)
    if (y == R(-1)) return R(0);
  return R(x % y);
}

template <class B>
struct Divisor {
  B value;
  Words words;
  int site;
};
// podium_checked of one function. `podium_checked = b` is the right side of /= and %=.
struct Checked {
  Words words;
  int site;
  template <class B>
  PODIUM_DEVICE Divisor<B> operator=(B b) const {
    return {b, words, site};
  }
};
template <class A>
struct Dividend {
  A value;
  Words words;
  int site;
  template <class B>
  PODIUM_DEVICE auto operator/(B b) const {
    return quotient(words, site, value, b);
  }
  template <class B>
  PODIUM_DEVICE auto operator%(B b) const {
    return remainder(words, site, value, b);
  }
};
template <class A>
PODIUM_DEVICE Dividend<A> operator*(A a, Checked checked) {
  return {a, checked.words, checked.site};
}
template <class A, class B>
PODIUM_DEVICE A& operator/=(A& a, Divisor<B> b) {
  return a = A(quotient(b.words, b.site, a, b.value));
}
template <class A, class B>
PODIUM_DEVICE A& operator%=(A& a, Divisor<B> b) {
  return a = A(remainder(b.words, b.site, a, b.value));
}

// ceil_div of terms.
struct CeilDiv {
  Words words;
  int site;
  template <class A, class B>
  PODIUM_DEVICE i64 operator()(A a, B b) const {
    static_assert(is_whole<A> && is_whole<B>, "found a real number in ceil_div, expected whole ones");
    const i64 x = i64(whole_operand(a)), y = i64(whole_operand(b));
    return rounded_up(x, y, quotient(words, site, x, y));
  }
};

}  // namespace podium::program
