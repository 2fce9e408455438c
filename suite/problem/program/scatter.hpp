// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References of form scatter: every term is joined, atomically, to the element that its targets name.
// Compensated sums take two additions a term where there is something to compensate: the sum's tells what it
// found, from which follows exactly what it lost, and that goes to a second number. So the order in which
// threads come matters to the last bit at most.
#pragma once
#include "reduce.hpp"

namespace podium::program {

// Replaces the 8 bytes at `at`, read as V, by f of them; what was there before.
template <class V, class F>
PODIUM_DEVICE V atomic_update(V* at, F f) {
  static_assert(sizeof(V) == sizeof(u64));
  u64* const bits = reinterpret_cast<u64*>(at);
  const auto to = [](V x) {
    if constexpr (is_same<V, double>)
      return bits_of(x);
    else
      return u64(x);
  };
  const auto from = [](u64 x) {
    if constexpr (is_same<V, double>)
      return double_of(x);
    else
      return V(x);
  };
#if PODIUM_GPU
  u64 seen = *const_cast<volatile u64*>(bits);
  for (;;) {
    const u64 wanted = to(f(from(seen)));
    if (wanted == seen) return from(seen);
    const u64 found = atomicCAS(bits, seen, wanted);
    if (found == seen) return from(seen);
    seen = found;
  }
#else
  u64 seen = __atomic_load_n(bits, __ATOMIC_RELAXED);
  for (;;) {
    const u64 wanted = to(f(from(seen)));
    if (wanted == seen) return from(seen);
    if (__atomic_compare_exchange_n(bits, &seen, wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return from(seen);
  }
#endif
}

// What was there before.
template <class V>
PODIUM_DEVICE V atomic_sum(V* at, V x) {
#if PODIUM_GPU
  if constexpr (is_same<V, double>)
    return atomicAdd(at, x);
  else
    return V(atomicAdd(reinterpret_cast<u64*>(at), u64(x)));
#else
  if constexpr (is_same<V, double>)
    return atomic_update(at, [x](double old) { return old + x; });
  else
    return V(__atomic_fetch_add(reinterpret_cast<u64*>(at), u64(x), __ATOMIC_RELAXED));
#endif
}

// The same of a sum whose rounding errors are added up in *error.
PODIUM_DEVICE void atomic_compensated_sum(double* at, double* error, double x) {
  const double old = atomic_sum(at, x), sum = old + x;  // which is what the atomic addition has stored
  if (!is_finite(sum)) return;
  const double lost = lost_by_adding(old, x, sum);
  if (lost != 0) atomic_sum(error, lost);
}

template <Op op, class V>
PODIUM_DEVICE void atomic_join(V* at, V x) {
  if constexpr (op == Op::sum || op == Op::count)
    atomic_sum(at, x);
  else if constexpr (op == Op::product && is_same<V, double>)
    atomic_update(at, [x](V old) { return old * x; });
  else if constexpr (op == Op::product)
    atomic_update(at, [x](V old) { return V(u64(old) * u64(x)); });
  else if constexpr (op == Op::max)
    atomic_update(at, [x](V old) { return upper_of(old, x); });
  else
    atomic_update(at, [x](V old) { return lower_of(old, x); });
}

// Where the terms of reference number `id` go; Value: double, i64, u64 or Number; compensated: that of its
// Total.
template <Op op, class Value, bool compensated, int id, int place, class... Position>
struct Targets {
  Words words;
  int site;
  template <class T>
  PODIUM_DEVICE void join(T term, typename Position::Type... index) const {
    bool inside = true;
    i64 at = 0;
    ((inside &= Position::holds(words, Position::value(index)),
      at = at * Position::count(words) + Position::slot(words, index)),
     ...);
    if (!inside) {
      const i64 values[] = {Position::value(index)...};
      return note_fault(words, fault_target, site, -1 - id, values);
    }
    if constexpr (op == Op::count) {
      if (term != 0) atomic_sum(words.address<i64>(place) + at, i64(1));
    } else if constexpr (is_number<Value>) {
      const Number n(term);
      join_at(at, n.value);
      join_magnitude(at, n);
    } else {
      join_at(at, Value(term));
    }
  }
  // Of a maximum or minimum the largest magnitude of all terms counts, of a product theirs: value and
  // magnitude of an element cannot be read at once.
  PODIUM_DEVICE void join_magnitude(i64 at, Number n) const {
    double* const all = words.address<double>(place + 1) + at;
    if constexpr (op == Op::max || op == Op::min)
      atomic_join<Op::max>(all, is_finite(n.value) ? n.magnitude : 0);
    else
      atomic_join<op>(all, n.magnitude);
  }
  template <class V>
  PODIUM_DEVICE void join_at(i64 at, V x) const {
    if constexpr (compensated && is_same<V, double>)
      atomic_compensated_sum(words.address<double>(place) + at, words.address<double>(scatter_errors) + at,
                             x);
    else
      atomic_join<op>(words.address<V>(place) + at, x);
  }
};

template <class R>
inline constexpr bool keeps_errors = R::Sum::exact && R::Sum::is_real;

// R: Sum (a Total), Value, place, elements; what an element has before any term.
template <class R>
PODIUM_DEVICE void scatter_start(Words words, Group group) {
  for_each(R::elements(words), group, [&](const i64 element) {
    store<R::place>(words, element, typename R::Value(R::Sum::identity().value()));
    if constexpr (keeps_errors<R>) words.address<double>(scatter_errors)[element] = 0;
  });
}

// R: items, visit(words, item).
template <class R>
PODIUM_DEVICE void scatter(Words words, Group group) {
  for_each(R::items(words), group, [&](const i64 item) { R::visit(words, item); });
}

// Once all terms have been joined, where sums are compensated.
template <class R>
PODIUM_DEVICE void scatter_settle(Words words, Group group) {
  if constexpr (keeps_errors<R>)
    for_each(R::elements(words), group, [&](const i64 element) {
      words.address<double>(R::place)[element] += words.address<const double>(scatter_errors)[element];
    });
}

}  // namespace podium::program
