// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The derivative of the largest weights alone
//   when: len <= 90

// expect: wrong
// dv is right; what makes weights add up to 1 is left out of ds.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float delta(float) { return 0; }
};
struct Contestant : Backward<Wrong> {};
}  // namespace
