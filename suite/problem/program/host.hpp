// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// References of form host: one sequential algorithm that assigns a whole array.
#pragma once
#include "access.hpp"

namespace podium::program {

// out(index...) of the algorithm: an element to be assigned, and read again.
template <class Value, int id, int place, class... Position>
struct Out {
  Words words;
  int site;
  PODIUM_DEVICE Value& operator()(typename Position::Argument... index) const {
    bool inside = true;
    i64 at = 0;
    ((inside &= Position::holds(words, Position::value(index)),
      at = at * Position::count(words) + Position::slot(words, index)),
     ...);
    if (inside) return words.address<Value>(place)[at];
    const i64 values[sizeof...(Position) + 1] = {Position::value(index)...};
    note_fault(words, fault_range, site, -1 - id, values);
    return *reinterpret_cast<Value*>(&words.address<Fault>(launch_fault)->scrap);
  }
};

// What an element has before it is assigned: nothing that a result can be mistaken for.
PODIUM_DEVICE double unassigned(double) { return double_of(~u64(0)); }
PODIUM_DEVICE i64 unassigned(i64) { return lowest_integer<i64>; }

PODIUM_DEVICE bool is_unassigned(double x) { return bits_of(x) == ~u64(0); }
PODIUM_DEVICE bool is_unassigned(i64 x) { return x == lowest_integer<i64>; }

// R: Assigned (double or i64), Value (with its magnitude, if asked for), place, site, elements, run(words).
// One thread of one group.
template <class R>
PODIUM_DEVICE void run_on_host(Words words, Group group) {
  if (group.index != 0 || !first_in_group()) return;
  const i64 elements = R::elements(words);
  auto* const all = words.address<typename R::Assigned>(R::place);
  for (i64 element = 0; element < elements; ++element) all[element] = unassigned(all[element]);
  R::run(words);
  for (i64 element = 0; element < elements; ++element)
    if (is_unassigned(all[element])) {
      const i64 at[1] = {element};
      note_fault(words, fault_unassigned, R::site, -1 - R::site, at);
    }
  if constexpr (is_number<typename R::Value>)
    for (i64 element = 0; element < elements; ++element)
      store<R::place>(words, element, Number(all[element]));
}

}  // namespace podium::program
