// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Relative to the first lse

// expect: wrong
// If that is -infinity, so is its distance from itself: no number.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float peak(float s_a, float) { return s_a; }
};
struct Contestant : Merger<Wrong> {};
}  // namespace
