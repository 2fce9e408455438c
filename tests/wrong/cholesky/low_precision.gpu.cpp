// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Products of elements rounded to bf16

// expect: wrong
// As updates on matrix units in bf16 are; their sums keep the full dtype.
#include "columns.hpp"

namespace {
__device__ float rounded(real v) { return podium::cast<float>(podium::cast<podium::bf16>(float(v))); }

struct Narrow : Right {
  __device__ static real product(real x, real y) { return rounded(x) * rounded(y); }
};
struct Contestant : Factorised<Narrow> {};
}  // namespace
