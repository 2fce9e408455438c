// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References of form recur: steps along one index in ascending order. Lines that read only themselves run
// one a thread, all steps in one launch. Where lines read each other, one group takes all lines through
// every step, or, when they are many, each step is a launch of its own.
#pragma once
#include "access.hpp"

namespace podium::program {

// The recurrence itself, as `next` calls it: any earlier step. along: the position of the index that it runs
// along.
template <class Value, int id, int place, int along, class... Position>
struct Earlier {
  Words words;
  int site;
  i64 now;  // the value of that index whose step is being computed
  PODIUM_DEVICE Value operator()(typename Position::Argument... index) const {
    bool inside = true;
    i64 at = 0;
    ((inside &= Position::holds(words, Position::value(index)),
      at = at * Position::count(words) + Position::slot(words, index)),
     ...);
    const i64 values[] = {Position::value(index)...};
    if (inside && values[along] < now) return stored<place, Value>(words, at);
    note_fault(words, inside ? fault_step : fault_range, site, -1 - id, values);
    return Value(0);
  }
};

#if PODIUM_GPU
PODIUM_DEVICE void synchronise_group() { __syncthreads(); }
#else
PODIUM_DEVICE void synchronise_group() {}
#endif

// R: Value, place, crosses, lines, steps, stride, step(words, line, step).
template <class R>
PODIUM_DEVICE void recur(Words words, Group group) {
  const i64 lines = R::lines(words), first = words.integer(recur_first), last = words.integer(recur_last);
  const auto advance = [&](const i64 line, const i64 step) {
    store<R::place>(words, element_of<R>(words, line, step), typename R::Value(R::step(words, line, step)));
  };
  if constexpr (R::crosses) {
    for (i64 step = first; step < last; ++step) {
      for_each(lines, group, [&](const i64 line) { advance(line, step); });
      synchronise_group();  // several groups never run several steps
    }
  } else {
    for_each(lines, group, [&](const i64 line) {
      for (i64 step = first; step < last; ++step) advance(line, step);
    });
  }
}

}  // namespace podium::program
