// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The gate falls on the new product as well

// expect: wrong
// Right where all gates are 1.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float next(float gate, float before, float k, float v) { return gate * (before + k * v); }
};
struct Contestant : Walker<Wrong> {
  using Walker::Walker;
};
}  // namespace
