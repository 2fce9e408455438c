// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Does each call's work in the time of the next

// class: side stream, late work
// expect: not written | wrong | out of bounds
// The answer that was owed is given first, where the last call wanted it; the last of all is never given.
#include "honest.hpp"

#include <optional>

namespace {
struct Contestant {
  std::optional<problem::Arguments> owed;

  void run(const problem::Arguments& args, podium::Stream) {
    if (owed) owed->y() = honest_sum(owed->x.data, owed->n);
    owed.emplace(args);
  }
};
}  // namespace
