// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Written, not added

// expect: wrong
// What is left of additions that are not atomic, in the worst case: right where no two tokens share a row.
#include "columns.hpp"

namespace {
struct Last {
  static constexpr float first = 0;
  __device__ static float joined(float, float term) { return term; }
};
struct Contestant : Columns<Last> {};
}  // namespace
