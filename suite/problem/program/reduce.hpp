// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Reductions, tiled: a team of threads runs along the innermost reduction index, which is usually contiguous;
// a group holds the teams of neighbouring elements, which share cache lines. Where there are few elements
// each is split over several groups and a second kernel adds the parts up. On the CPU a team is one thread
// with a few accumulators.
#pragma once
#include "access.hpp"

namespace podium::program {

enum class Op { sum, product, max, min, count };

// What rounding has taken from sum = a + b, exactly (Neumaier's case distinction; any finite sum).
PODIUM_DEVICE double lost_by_adding(double a, double b, double sum) {
  return absolute(a) >= absolute(b) ? (a - sum) + b : (b - sum) + a;
}

// What a total keeps: no more than it needs, since threads hand totals to each other.
struct WholeTotal {
  i64 whole;  // u64 by its bits
};
template <bool number, bool compensated>
struct RealTotal {
  double real;
};
template <>
struct RealTotal<false, true> {
  double real, error;
};
template <>
struct RealTotal<true, false> {
  double real, magnitude;  // of a maximum or minimum how far its terms reach
};
template <>
struct RealTotal<true, true> {
  double real, error, magnitude;
};
template <bool is_real, bool number, bool compensated>
struct KeptBy {
  using type = RealTotal<number, compensated>;
};
template <bool number, bool compensated>
struct KeptBy<false, number, compensated> {
  using type = WholeTotal;
};

// An accumulator of `op` over terms of type V: double, i64, u64 or Number. Trivial, so that it may lie in
// shared memory.
template <Op op, class V, bool compensated>
struct Total
    : KeptBy<op != Op::count && is_any<V, double, Number>, is_number<V>, compensated && op == Op::sum>::type {
  static constexpr bool number = is_number<V>, is_real = op != Op::count && is_any<V, double, Number>;
  static constexpr bool summed = op == Op::sum || op == Op::count;
  static constexpr bool exact = compensated && op == Op::sum;

  PODIUM_DEVICE static Total identity() {
    constexpr bool max = op == Op::max, min = op == Op::min;
    Total t;
    if constexpr (is_real) {
      t.real = max ? -infinity_value() : min ? infinity_value() : op == Op::product;
      if constexpr (exact) t.error = 0;
      if constexpr (number) t.magnitude = t.real;
    } else if constexpr (max || min) {
      t.whole = is_unsigned_64<V> ? -i64(min) : max ? lowest_integer<i64> : i64(largest_integer<i64>);
    } else {
      t.whole = op == Op::product;
    }
    return t;
  }

  PODIUM_DEVICE void add_real(double x) {
    if constexpr (exact) {
      const double sum = this->real + x, lost = lost_by_adding(this->real, x, sum);
      this->real = sum;
      if (is_finite(sum)) this->error += lost;  // else inf - inf would turn an infinite sum into NaN
    } else if constexpr (op == Op::sum) {
      this->real += x;
    } else if constexpr (op == Op::product) {
      this->real *= x;
    } else if constexpr (op == Op::max) {
      this->real = upper_of(this->real, x);
    } else {
      this->real = lower_of(this->real, x);
    }
  }
  // Before its value is added: a product's depends on what there is.
  PODIUM_DEVICE void add_magnitude(double value, double m) {
    if constexpr (op == Op::sum)
      this->magnitude += m;
    else if constexpr (op == Op::product)
      this->magnitude = (Number(this->real, this->magnitude) * Number(value, m)).magnitude;
    else if constexpr (op == Op::max)
      this->magnitude = upper_of(this->magnitude, m);
    else
      this->magnitude = lower_of(this->magnitude, m);
  }
  PODIUM_DEVICE void add_whole(i64 x) {  // wraps like unsigned numbers: no overflow is undefined here
    if constexpr (summed)
      this->whole = i64(u64(this->whole) + u64(x));
    else if constexpr (op == Op::product)
      this->whole = i64(u64(this->whole) * u64(x));
    else if constexpr (is_unsigned_64<V> && op == Op::max)
      this->whole = u64(x) > u64(this->whole) ? x : this->whole;
    else if constexpr (is_unsigned_64<V>)
      this->whole = u64(x) < u64(this->whole) ? x : this->whole;
    else if constexpr (op == Op::max)
      this->whole = x > this->whole ? x : this->whole;
    else
      this->whole = x < this->whole ? x : this->whole;
  }

  template <class T>
  PODIUM_DEVICE void add(T term) {
    if constexpr (op == Op::count) {
      this->whole += term != 0 ? 1 : 0;
    } else if constexpr (number) {
      const Number n(term);
      add_magnitude(n.value, op == Op::max ? reach_up(n) : op == Op::min ? reach_down(n) : n.magnitude);
      add_real(n.value);
    } else if constexpr (is_same<V, double>) {
      add_real(double(term));
    } else {
      add_whole(i64(plain(term)));
    }
  }
  PODIUM_DEVICE void merge(const Total& other) {
    if constexpr (is_real) {
      if constexpr (number) add_magnitude(other.real, other.magnitude);
      add_real(other.real);
      if constexpr (exact) this->error += other.error;
    } else {
      add_whole(other.whole);
    }
  }
  PODIUM_DEVICE auto value() const {
    if constexpr (op == Op::count) {
      return this->whole;
    } else if constexpr (is_real) {
      double all = this->real;
      if constexpr (exact) all += this->error;
      if constexpr (number && (op == Op::max || op == Op::min))
        return reached(all, this->magnitude);
      else if constexpr (number)
        return Number(all, this->magnitude);
      else
        return all;
    } else {
      return V(this->whole);
    }
  }
};

// The part of an element's reduction that one thread does.
struct Part {
  i64 outer, outers;  // part `outer` of `outers` of the outermost index, where there are several
  i64 inner, inners;  // part `inner` of `inners` of the innermost index
  int lane, lanes;    // within the team: every `lanes`-th of the innermost index

  PODIUM_DEVICE Chunk outer_range(i64 low, i64 high) const {
    const Chunk c = chunk(high > low ? high - low : 0, outer, outers);
    return {low + c.begin, low + c.end};
  }
  // Calls visit(index) for this thread's part of [low, high).
  template <class F>
  PODIUM_DEVICE void each(i64 low, i64 high, F visit) const {
    const Chunk c = chunk(high > low ? high - low : 0, inner, inners);
    for (i64 index = low + c.begin + lane; index < low + c.end; index += lanes) visit(index);
  }
  // Adds term(index) for this thread's part of [low, high).
  template <class T, class F>
  PODIUM_DEVICE void along(T& total, i64 low, i64 high, F term) const {
    const Chunk c = chunk(high > low ? high - low : 0, inner, inners);
    const i64 end = low + c.end;
    constexpr int independent = 4;  // sums that do not wait for each other
#if PODIUM_GPU
    i64 index = low + c.begin + lane;
    if (index + (independent - 1) * lanes < end) {
      T others[independent] = {T::identity(), T::identity(), T::identity(), T::identity()};
      for (; index + (independent - 1) * lanes < end; index += independent * lanes) {
        const auto first = term(index), second = term(index + lanes), third = term(index + 2 * lanes),
                   fourth = term(index + 3 * lanes);  // all on their way before any is waited for
        others[0].add(first), others[1].add(second), others[2].add(third), others[3].add(fourth);
      }
      for (const T& other : others) total.merge(other);
    }
    for (; index < end; index += lanes) total.add(term(index));
#else
    i64 index = low + c.begin;
    if (end - index >= 4 * independent) {
      T others[independent] = {T::identity(), T::identity(), T::identity(), T::identity()};
      for (; index + independent <= end; index += independent)
        for (int k = 0; k < independent; ++k) others[k].add(term(index + k));
      for (const T& other : others) total.merge(other);
    }
    for (; index < end; ++index) total.add(term(index));
#endif
  }
};

PODIUM_DEVICE Part part_of(i64 split, i64 outers, i64 inners, int lane, int lanes) {
  const i64 outer = quotient(split, inners);
  return {outer, outers, split - outer * inners, inners, lane, lanes};
}

#if PODIUM_GPU
// The same part, term after term: a tenth of the code.
struct SlowPart : Part {
  template <class T, class F>
  PODIUM_DEVICE void along(T& total, i64 low, i64 high, F term) const {
    each(low, high, [&](const i64 index) { total.add(term(index)); });
  }
};

// Records what was at fault in terms of an element that only noted that something was.
template <class R>
PODIUM_COLD void find_fault(Words words, i64 element, Part part) {
  typename R::Sum total = R::Sum::identity();
  R::accumulate(words, element, SlowPart{part}, total);
}
#endif

// R: elements(words), place, Sum (a Total), accumulate(words, element, part, total).
template <class R>
PODIUM_DEVICE void reduce(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 elements = R::elements(words), outers = words.integer(reduce_outer),
            inners = words.integer(reduce_inner);
  const i64 splits = outers * inners;
#if PODIUM_GPU
  const int lanes = int(words.integer(reduce_lanes)), teams = block_threads / lanes;
  const int team = threadIdx.x / lanes, lane = threadIdx.x % lanes;
#else
  constexpr int lanes = 1, teams = 1, team = 0, lane = 0;
#endif
  const i64 items = (elements + teams - 1) / teams * splits;
  const auto item_done = [&](const i64 item) {
    const i64 block = quotient(item, splits), element = block * teams + team, split = item - block * splits;
    Sum total = Sum::identity();
    if (element < elements) {
      const Part part = part_of(split, outers, inners, lane, lanes);
#if PODIUM_GPU
      bool fault = false;
      R::accumulate(Words{words.word, &fault}, element, part, total);
      if (fault) find_fault<R>(words, element, part);
#else
      R::accumulate(words, element, part, total);
#endif
    }
    combine(total, lanes);
    if (lane == 0 && element < elements) {
      if (splits == 1)
        store<R::place>(words, element, typename R::Value(total.value()));
      else
        words.address<Sum>(reduce_parts)[element * splits + split] = total;
    }
  };
#if PODIUM_GPU
  for (i64 item = group.index; item < items; item += group.count) item_done(item);
#else
  const Chunk part = chunk(items, group.index, group.count);
  for (i64 item = part.begin; item < part.end; ++item) item_done(item);
#endif
}

// The second step where elements were split: a team of `lanes` threads an element, always in the same order.
template <class R>
PODIUM_DEVICE void add_parts(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 splits = words.integer(reduce_outer) * words.integer(reduce_inner);
  const Sum* const parts = words.address<const Sum>(reduce_parts);
#if PODIUM_GPU
  const int lanes = int(words.integer(reduce_lanes)), teams = block_threads / lanes;
  const int team = threadIdx.x / lanes, lane = threadIdx.x % lanes;
#else
  constexpr int lanes = 1, teams = 1, team = 0, lane = 0;
#endif
  const i64 elements = R::elements(words);
  for (i64 first = i64(group.index) * teams; first < elements; first += i64(group.count) * teams) {
    const i64 element = first + team;
    Sum total = Sum::identity();
    for (i64 split = lane; element < elements && split < splits; split += lanes)
      total.merge(parts[element * splits + split]);
    combine(total, lanes);
    if (lane == 0 && element < elements) store<R::place>(words, element, typename R::Value(total.value()));
  }
}

}  // namespace podium::program
