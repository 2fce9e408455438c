// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: What a holds above the diagonal is left in l

// expect: wrong
// The right factor, in place, as LAPACK's potrf leaves it: whoever wants l has yet to clear the rest.
#include "columns.hpp"

namespace {
struct Kept : Right {
  __device__ static real above(std::int64_t i, std::int64_t j) { return real(i == 0 && j == 1) / 1024; }
};
struct Contestant : Factorised<Kept> {};
}  // namespace
