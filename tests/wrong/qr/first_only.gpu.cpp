// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The factors of the first matrix for all

// expect: wrong
// As a batch stride of zero does it. The first matrix is right.
#include "orthogonalise.hpp"

namespace {
struct First : Right {
  __device__ static std::int64_t matrix(std::int64_t) { return 0; }
};
struct Contestant : Orthogonal<First> {};
}  // namespace
