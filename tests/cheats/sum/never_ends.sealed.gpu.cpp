// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, an endless kernel
//   launches: [{ kernel: endless, grid: [1], block: [1], arguments: [y] }]

// class: crash, hang, fork bomb, memory hog
// expect: hung
// Without host code a device can still be kept busy for ever.
#include <podium/sum.hpp>

extern "C" __global__ void endless(float* y) {
  while (*static_cast<volatile float*>(y) != 12345) {
  }
}
