// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of planted mistakes with asynchronous copies share: mbarriers, bulk copies and their groups.
#pragma once
#include "planted_product.hpp"

namespace planted {

using Word = unsigned long long;
constexpr unsigned tile_bytes = threads * sizeof(int);

// By all threads.
__device__ inline void begin(const Word* barrier, unsigned arrivals) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
                 : "memory");
  __syncthreads();
}
__device__ inline void arrive(const Word* barrier) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(shared_address(barrier))
               : "memory");
}
__device__ inline void expect(const Word* barrier, unsigned bytes) {
  asm volatile(
      "{ .reg .b64 s; mbarrier.arrive.expect_tx.shared.b64 s, [%0], %1; }" ::"r"(shared_address(barrier)),
      "r"(bytes)
      : "memory");
}
__device__ inline void await(const Word* barrier, unsigned parity) {
  asm volatile("{ .reg .pred p; WAIT: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra WAIT; }" ::"r"(
                   shared_address(barrier)),
               "r"(parity)
               : "memory");
}
__device__ inline void load(const void* to, const int* from, unsigned bytes, const Word* barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}
// In a group of its own.
__device__ inline void store(int* to, const int* from, unsigned bytes) {
  asm volatile(
      "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; cp.async.bulk.commit_group;" ::"l"(to),
      "r"(shared_address(from)), "r"(bytes)
      : "memory");
}
template <int pending>
__device__ void wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

__device__ inline void sync_cluster() {
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}
// Of a cluster of two.
__device__ inline unsigned of_other_block(const void* at) {
  unsigned mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(mapped)
               : "r"(shared_address(at)), "r"(blockIdx.x ^ 1));
  return mapped;
}

}  // namespace planted
