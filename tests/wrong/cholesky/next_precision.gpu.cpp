// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The next lower precision, tf32 for f32 and f32 for f64

// expect: wrong
// Operands of an update only, as a library does that is allowed to; the smallest loss of precision there is.
#include "columns.hpp"

namespace {
__device__ float rounded(float v) {  // to the 10 stored bits of tf32
  unsigned bits;
  std::memcpy(&bits, &v, sizeof bits);
  bits = (bits + 0x1000u) & ~0x1fffu;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
__device__ double rounded(double v) { return float(v); }

struct Next : Right {
  __device__ static real product(real x, real y) { return rounded(x) * rounded(y); }
};
struct Contestant : Factorised<Next> {};
}  // namespace
