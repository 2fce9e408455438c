// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Pairs of neighbours

// expect: wrong
// The other convention: 2 d and 2 d + 1 are a pair.
#include "turn.hpp"

namespace {
struct Neighbours : Right {
  __device__ static Places pair(std::int64_t d, std::int64_t) { return {2 * d, 2 * d + 1}; }
};
struct Contestant : Turned<Neighbours> {};
}  // namespace
