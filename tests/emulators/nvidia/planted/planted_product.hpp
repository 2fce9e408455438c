// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of planted mistakes with wgmma share: a product of a warpgroup.
#pragma once
#include "planted.hpp"

namespace planted {

__device__ inline unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}

constexpr int group = 128;       // threads
constexpr unsigned first = 256;  // of the elements, those of B, k = 16 and n = 8; A's 64 x 16 lie behind

// 64 x 8 x 16 of f16, added to `sum`; with `registers` A is all ones there.
__device__ inline float product(unsigned elements, bool registers, float sum) {
  const auto matrix = [](unsigned at) {
    return static_cast<unsigned long long>(at >> 4) | 8ull << 16 | 16ull << 32;
  };
  float d[4] = {sum, sum, sum, sum};
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if (registers)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, {%4, %4, %4, %4}, %5, 1, 1, 1, "
        "0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(0x3c003c00), "l"(matrix(elements))
        : "memory");
  else
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "l"(matrix(elements + first)), "l"(matrix(elements))
                 : "memory");
  asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
  return d[0];
}
}  // namespace planted
