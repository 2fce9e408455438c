// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Turned the other way

// expect: wrong
// By minus the angle; products of two vectors that are both turned so would even be the same.
#include "turn.hpp"

namespace {
struct Backwards : Right {
  __device__ static Pair turned(Pair v, float cosine, float sine) { return Right::turned(v, cosine, -sine); }
};
struct Contestant : Turned<Backwards> {};
}  // namespace
