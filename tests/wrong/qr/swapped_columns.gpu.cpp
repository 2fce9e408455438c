// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Two columns of q swapped

// expect: wrong
// Orthonormal still, and r is right.
#include "orthogonalise.hpp"

namespace {
struct Swap {
  __device__ static void spoil(const Matrices& q, const Matrices&, std::int64_t b) {
    const std::int64_t cols = q.extent(2);
    for (std::int64_t i = 0; cols > 1 && i < q.extent(1); ++i) {
      const real last = q(b, i, cols - 1);
      q(b, i, cols - 1) = q(b, i, cols - 2);
      q(b, i, cols - 2) = last;
    }
  }
};
struct Contestant : Spoilt<Swap> {};
}  // namespace
