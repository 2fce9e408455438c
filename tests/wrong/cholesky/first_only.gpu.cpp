// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The factor of the first matrix for all

// expect: wrong
// As a batch stride of zero does it. The first matrix is right.
#include "columns.hpp"

namespace {
struct First : Right {
  __device__ static std::int64_t matrix(std::int64_t) { return 0; }
};
struct Contestant : Factorised<First> {};
}  // namespace
