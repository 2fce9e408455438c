// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Powers of the lse as they are

// expect: wrong
// Right until an lse is beyond 127.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float peak(float, float) { return 0; }
};
struct Contestant : Merger<Wrong> {};
}  // namespace
