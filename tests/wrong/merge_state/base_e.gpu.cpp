// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: LSE taken for natural logarithms

// expect: wrong
// Right where both are alike, but for their own lse.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float power(float x) { return expf(x); }
  __device__ static float logarithm(float x) { return logf(x); }
};
struct Contestant : Merger<Wrong> {};
}  // namespace
