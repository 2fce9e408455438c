// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One element of r below its diagonal

// expect: wrong
// So small that the product does not tell: what in-place methods leave there.
#include "orthogonalise.hpp"

namespace {
struct Left {
  __device__ static void spoil(const Matrices&, const Matrices& r, std::int64_t b) {
    const std::int64_t cols = r.extent(2);
    if (cols > 1) r(b, cols - 1, cols - 2) = real(1) / (1 << 30);
  }
};
struct Contestant : Spoilt<Left> {};
}  // namespace
