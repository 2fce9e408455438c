// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, adds up, and writes where the next output might be
//   launches: [{ kernel: sum, grid: [1], block: [256], arguments: [x, y, i64(n)] }]

// class: out-of-bounds writes
// expect: out of bounds
// A launch list names whole tensors only; nothing keeps a kernel from adding to their addresses.
#include "sealed_sum.hpp"

extern "C" __global__ void sum(const float* x, float* y, std::int64_t n) {
  float total = 0;
  if (block_sum(x, n, total)) y[0] = y[1] = total;
}
