// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How terms read tensors and results of earlier references: always checked; out of range is recorded and
// reads 0.
#pragma once
#include "laid_out.hpp"
#include "term.hpp"

namespace podium::program {

// Records a fault unless there is one already.
template <int rank>
PODIUM_COLD void record_fault(Words words, FaultKind kind, int site, int target, const i64 (&index)[rank]) {
  Fault* const fault = words.address<Fault>(launch_fault);
#if PODIUM_GPU
  if (atomicCAS(&fault->taken, 0u, 1u) != 0u) return;
#else
  u32 free = 0;
  if (!__atomic_compare_exchange_n(&fault->taken, &free, 1u, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;
#endif
  fault->kind = kind, fault->site = site, fault->target = target;
  for (int k = 0; k < rank && k < max_rank; ++k) fault->index[k] = index[k];
}

template <int rank>
PODIUM_DEVICE void note_fault(Words words, FaultKind kind, int site, int target, const i64 (&index)[rank]) {
  if (words.fault)
    *words.fault = true;
  else
    record_fault(words, kind, site, target, index);
}

template <int... k>
struct Axes {};
template <int rank, int... k>
struct MakeAxes : MakeAxes<rank - 1, rank - 1, k...> {};
template <int... k>
struct MakeAxes<0, k...> {
  using type = Axes<k...>;
};
template <int k>
using CoordinateFor = Coordinate;

// Tensor number `id`. place: where the words address and extents are. A missing or superfluous index is a
// compile error at the call.
template <class T, int id, int place, class A, class Layout>
struct TensorOf;
template <class T, int id, int place, int... axis, class Layout>
struct TensorOf<T, id, place, Axes<axis...>, Layout> {
  Words words;
  int site;
  PODIUM_DEVICE auto operator()(CoordinateFor<axis>... index) const {
    bool inside = true;
    i64 offset = 0;
    ((inside &= u64(index.value) < u64(words.integer(place + 1 + axis)),
      offset = offset * words.integer(place + 1 + axis) + index.value),
     ...);
    if (words.fault) {  // reads the first element instead
      *words.fault |= !inside;
    } else if (!inside) {
      const i64 at[sizeof...(axis) + 1] = {index.value...};
      record_fault(words, fault_range, site, id, at);
      return decltype(widen(T{}))(0);
    }
    if constexpr (!is_same<Layout, RowMajor>) offset = Layout::at(words, {index.value...});
    return widen(load(words.address<const T>(place), inside ? offset : 0));
  }
};
template <class T, int id, int place, int rank, class Layout = RowMajor>
using Tensor = TensorOf<T, id, place, typename MakeAxes<rank>::type, Layout>;

// A tensor of floats whose elements are read as As: Number, where sums and differences add their magnitudes,
// or Exact.
template <class As, class T>
struct Counted {
  T tensor;
  template <class... I>
  PODIUM_DEVICE As operator()(I... index) const {
    return tensor(index...);
  }
};

// What reference number `id` stored for each index tuple that the sample needs. place: where the words
// address of the values and address of the magnitudes are. In the chain of an output whose scale is its
// magnitude, reals are Numbers.
template <class Value, bool with_magnitude, int id, int place, class... Position>
struct Result {
  Words words;
  int site;
  PODIUM_DEVICE Result(Words w, int s) : words(w), site(s) {}
  PODIUM_DEVICE auto operator()(typename Position::Argument... index) const {
    bool inside = true;
    i64 at = 0;
    ((inside &= Position::holds(words, Position::value(index)),
      at = at * Position::count(words) + Position::slot(words, index)),
     ...);
    if (words.fault) {  // reads the first result instead
      *words.fault |= !inside;
      at = inside ? at : 0;
    } else if (!inside) {
      const i64 values[sizeof...(Position) + 1] = {Position::value(index)...};
      record_fault(words, fault_range, site, -1 - id, values);
      at = -1;
    }
    if constexpr (!is_number<Value>) {
      return at < 0 ? Value(0) : words.address<const Value>(place)[at];
    } else if constexpr (with_magnitude) {
      return at < 0
                 ? Number(0)
                 : Number(words.address<const double>(place)[at], words.address<const double>(place + 1)[at]);
    } else {
      return at < 0 ? 0.0 : words.address<const double>(place)[at];
    }
  }
};

// One reference that was evaluated over several domains: the arguments choose.
template <class... R>
struct Overloaded : R... {
  PODIUM_DEVICE Overloaded(Words w, int site) : R(w, site)... {}
  using R::operator()...;
};

template <class... Position>
PODIUM_DEVICE i64 elements_of([[maybe_unused]] Words w) {
  return (i64(1) * ... * Position::count(w));
}

// A reference's number as it is stored: with its magnitude where the chain asks for it, and it is real.
template <class T, bool with_magnitude>
struct StoredAs {
  using type = Plain<T>;
};
template <>
struct StoredAs<double, true> {
  using type = Number;
};
template <bool with_magnitude>
struct StoredAs<Number, with_magnitude> {
  using type = Number;
};
template <class T, bool with_magnitude>
using Stored = typename StoredAs<Plain<T>, with_magnitude>::type;

template <int place, class Value>
PODIUM_DEVICE void store(Words words, i64 element, Value value) {
  if constexpr (is_number<Value>) {
    words.address<double>(place)[element] = value.value;
    words.address<double>(place + 1)[element] = value.magnitude;
  } else {
    words.address<Value>(place)[element] = value;
  }
}

// What store() has put there.
template <int place, class Value>
PODIUM_DEVICE Value stored(Words words, i64 element) {
  if constexpr (is_number<Value>)
    return Number(words.address<const double>(place)[element],
                  words.address<const double>(place + 1)[element]);
  else
    return words.address<const Value>(place)[element];
}

// A line of a reference: the elements that differ in one index only. R: lines, steps (elements of a line),
// stride (between neighbours).
template <class R>
PODIUM_DEVICE i64 element_of(Words words, i64 line, i64 step) {
  const i64 stride = R::stride(words);
  if (stride == 1) return line * R::steps(words) + step;
  return line / stride * stride * R::steps(words) + step * stride + line % stride;
}

// Evaluates a reference of form value. R: elements(words), place, value(words, element).
template <class R>
PODIUM_DEVICE void evaluate(Words words, Group group) {
  for_each(R::elements(words), group, [&](const i64 element) {
    store<R::place>(words, element, typename R::Value(R::value(words, element)));
  });
}

}  // namespace podium::program
