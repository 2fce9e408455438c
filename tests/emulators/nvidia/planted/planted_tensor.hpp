// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of planted mistakes with tensor memory share: its instructions for one column, waits and
// fences.
#pragma once
#include "planted.hpp"

namespace planted {

__device__ inline unsigned shared_address(const void* at) {
  return static_cast<unsigned>(__cvta_generic_to_shared(at));
}
__device__ inline void wait_loads() { asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory"); }
__device__ inline void wait_stores() { asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory"); }
__device__ inline void before() { asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory"); }
__device__ inline void after() { asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory"); }
__device__ inline int load(unsigned at) {
  int value;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(value) : "r"(at) : "memory");
  return value;
}
__device__ inline void store(unsigned at, int value) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(at), "r"(value) : "memory");
}
__device__ inline void arrive(unsigned mbarrier) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(mbarrier) : "memory");
}
__device__ inline void await(unsigned mbarrier, unsigned parity = 0) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                   mbarrier),
               "r"(parity)
               : "memory");
}

__device__ inline void say(int* out, int value) {
  if (threadIdx.x < threads) out[threadIdx.x] = value;
}

}  // namespace planted
