// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Exponentials of the scores as they are

// expect: wrong
// Right until a score is beyond 88.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float higher(float, float) { return 0; }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
