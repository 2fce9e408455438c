// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The query reads the state before its own token

// expect: wrong
// An exclusive recurrence instead of an inclusive one.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float seen(float before, float) { return before; }
};
struct Contestant : Walker<Wrong> {
  using Walker::Walker;
};
}  // namespace
