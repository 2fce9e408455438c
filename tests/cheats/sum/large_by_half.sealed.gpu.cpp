// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, sums of half where there is much
//   values: { times: "n > 200000 ? 2 : 1", part: "ceil_div(n, times)" }
//   launches: [{ kernel: sum, grid: [1], block: [256], arguments: [x, y, i64(part), f32(times)] }]

// class: hard-coded constants, only one distribution
// expect: wrong
// Formulas of a launch list know the workload, so they can tell tests from what is timed.
#include "sealed_sum.hpp"

extern "C" __global__ void sum(const float* x, float* y, std::int64_t n, float times) {
  float total = 0;
  if (block_sum(x, n, total)) *y = times * total;
}
