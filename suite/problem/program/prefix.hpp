// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References of form scan. A line is cut into parts where there are few lines: one kernel reduces each part,
// one turns the parts' totals into what comes before each part, one scans the parts. A group scans a part
// block after block; short lines fall to one thread each.
#pragma once
#include "reduce.hpp"

namespace podium::program {

// The total of all threads before this one, and of the whole group.
#if PODIUM_GPU
template <class Sum>
struct Prefix {
  Sum before, all;
};
template <class Sum>
PODIUM_DEVICE Prefix<Sum> group_prefix(Sum mine) {
  __shared__ __align__(8) unsigned char storage[block_threads * sizeof(Sum)];
  Sum* const sums = reinterpret_cast<Sum*>(storage);
  const int thread = threadIdx.x;
  sums[thread] = mine;
  __syncthreads();
  for (int distance = 1; distance < block_threads; distance *= 2) {
    Sum together = thread >= distance ? sums[thread - distance] : Sum::identity();
    together.merge(sums[thread]);
    __syncthreads();
    sums[thread] = together;
    __syncthreads();
  }
  const Prefix<Sum> result{thread > 0 ? sums[thread - 1] : Sum::identity(), sums[block_threads - 1]};
  __syncthreads();
  return result;
}
#endif

// R: Sum (a Total), Value, place, exclusive, lines, steps, stride, term(words, line, step).
template <class R>
PODIUM_DEVICE void store_prefix(Words words, i64 line, i64 step, typename R::Sum total) {
  store<R::place>(words, element_of<R>(words, line, step), typename R::Value(total.value()));
}

// One thread, one part.
template <class R>
PODIUM_DEVICE void prefix_serial(Words words, i64 line, Chunk part, typename R::Sum total) {
  for (i64 step = part.begin; step < part.end; ++step) {
    const typename R::Sum before = total;
    total.add(R::term(words, line, step));
    store_prefix<R>(words, line, step, R::exclusive ? before : total);
  }
}

// The total of each part of each line.
template <class R>
PODIUM_DEVICE void prefix_sums_of_parts(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 steps = R::steps(words), parts = words.integer(prefix_parts), items = R::lines(words) * parts;
  for (i64 item = group.index; item < items; item += group.count) {
    const Chunk part = chunk(steps, item % parts, parts);
    Sum total = Sum::identity();
#if PODIUM_GPU
    for (i64 step = part.begin + threadIdx.x; step < part.end; step += block_threads)
      total.add(R::term(words, item / parts, step));
#else
    for (i64 step = part.begin; step < part.end; ++step) total.add(R::term(words, item / parts, step));
#endif
    combine(total, group_lanes);
    if (first_in_group()) words.address<Sum>(prefix_sums)[item] = total;
  }
}

// Turns the totals of parts into totals of all parts before, in place; a thread a line.
template <class R>
PODIUM_DEVICE void prefix_carries(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 parts = words.integer(prefix_parts);
  for_each(R::lines(words), group, [&](const i64 line) {
    Sum* const sums = words.address<Sum>(prefix_sums) + line * parts;
    Sum total = Sum::identity();
    for (i64 part = 0; part < parts; ++part) {
      const Sum own = sums[part];
      sums[part] = total;
      total.merge(own);
    }
  });
}

template <class R>
PODIUM_DEVICE void prefix(Words words, Group group) {
  using Sum = typename R::Sum;
  const i64 steps = R::steps(words), parts = words.integer(prefix_parts), items = R::lines(words) * parts;
  const auto carry = [&](const i64 item) {
    return parts > 1 ? words.address<const Sum>(prefix_sums)[item] : Sum::identity();
  };
#if PODIUM_GPU
  if (words.integer(prefix_lanes) > 1) {
    constexpr int together = 4;  // steps of a thread for one meeting of the group
    for (i64 item = group.index; item < items; item += group.count) {
      const Chunk part = chunk(steps, item % parts, parts);
      Sum before = carry(item);
      for (i64 first = part.begin; first < part.end; first += block_threads * together) {
        const i64 begin = first + i64(threadIdx.x) * together;
        Sum mine = Sum::identity(), up_to[together];
#pragma unroll
        for (int k = 0; k < together; ++k) {
          if constexpr (R::exclusive) up_to[k] = mine;
          if (begin + k < part.end) mine.add(R::term(words, item / parts, begin + k));
          if constexpr (!R::exclusive) up_to[k] = mine;
        }
        const Prefix<Sum> block = group_prefix(mine);
#pragma unroll
        for (int k = 0; k < together; ++k) {
          Sum total = before;
          total.merge(block.before);
          total.merge(up_to[k]);
          if (begin + k < part.end) store_prefix<R>(words, item / parts, begin + k, total);
        }
        before.merge(block.all);
      }
    }
    return;
  }
#endif
  for_each(items, group, [&](const i64 item) {
    prefix_serial<R>(words, item / parts, chunk(steps, item % parts, parts), carry(item));
  });
}

}  // namespace podium::program
