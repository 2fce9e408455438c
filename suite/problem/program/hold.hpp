// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// General checks: what was evaluated must not exceed a limit in size.
#pragma once
#include "compare.hpp"

namespace podium::program {

// |value| over limit; at most 1 holds, infinity where no number can be given. NaN never holds.
PODIUM_DEVICE double share_of_limit(double value, double limit) {
  const double size = absolute(value);
  if (size <= limit) return limit > 0 ? size / limit : 0;
  return limit > 0 && is_finite(size) ? larger(size / limit, 1 + 0x1p-52) : infinity_value();
}
PODIUM_DEVICE double share_of_limit(u64 size, double limit) {  // exact beyond 2^53
  if (limit >= 0x1p64 || size <= u64(limit)) return limit > 0 ? double(size) / limit : 0;
  return limit > 0 ? larger(double(size) / limit, 1 + 0x1p-52) : infinity_value();
}
PODIUM_DEVICE double share_of_limit(i64 value, double limit) {
  const double share = share_of_limit(value < 0 ? 0 - u64(value) : u64(value), limit);
  return share;
}

// R: elements(words), place, Value (double, i64 or u64): an evaluation. `at` is the number of the element.
template <class R>
PODIUM_DEVICE void hold(Words words, Group group) {
  using Value = typename R::Value;
  const double limit = words.real(hold_limit);
  Comparison mine = Comparison::identity();
  for_each(R::elements(words), group, [&](const i64 element) {
    const Value value = words.address<const Value>(R::place)[element];
    const double share = share_of_limit(value, limit);
    mine.merge({share, element, word_of(value), 0, limit, 1, share > 1, 0, kind_of<Value>, 0, 1});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Comparison>(launch_results)[group.index] = mine;
}

}  // namespace podium::program
