// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What kernels of one block with tensor memory begin and end with. It has five warps, the first and the last
// of which may access the same lanes.
#pragma once
#include "planted_tensor.hpp"

namespace planted {

constexpr int warps = 5, block = 32 * warps;
constexpr unsigned columns = 64, second = 32;  // D, or what is stored first; A

__device__ inline void sync() {
  before();
  __syncthreads();
  after();
}

// What every kernel begins and ends with: columns of tensor memory, an mbarrier for `arrivals`, 4 KiB.
struct Begun {
  unsigned memory, mine, mbarrier, matrix;  // `mine`: the first of the warp's lanes
  int warp;

  __device__ explicit Begun(unsigned arrivals = 32) {
    __shared__ unsigned place;
    __shared__ alignas(8) unsigned long long barrier;
    __shared__ alignas(1024) unsigned short elements[2048];
    warp = static_cast<int>(threadIdx.x) / 32;
    mbarrier = shared_address(&barrier);
    matrix = shared_address(elements);
    for (unsigned i = threadIdx.x; i < 2048; i += block) elements[i] = 0x3c00;  // 1 in f16
    if (threadIdx.x == 0)
      asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(mbarrier), "r"(arrivals) : "memory");
    if (warp == 0)
      asm volatile(
          "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(shared_address(&place)),
          "n"(columns)
          : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    sync();
    memory = place;
    mine = memory + (static_cast<unsigned>(warp % 4) << 21);
  }
  __device__ void end() const {
    wait_loads();
    wait_stores();
    sync();
    if (warp == 0)
      asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(memory), "n"(columns)
                   : "memory");
  }
  // Of the 4 KiB, without swizzle; `stride` in 16 bytes, of rows of eight.
  __device__ unsigned long long descriptor(unsigned long long stride) const {
    return (matrix >> 4) | 8ull << 16 | stride << 32 | 1ull << 46;
  }
  // 128 x 16 ones to the column `to`.
  __device__ void copy(unsigned to) const {
    const unsigned long long matrix_at = descriptor(16);
    asm volatile("tcgen05.cp.cta_group::1.128x256b [%0], %1;" ::"r"(memory + to), "l"(matrix_at) : "memory");
  }
  __device__ void commit() const {
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(mbarrier)
                 : "memory");
  }
  // D = A B, 128 x 16 x 16, of f16 into f32; A in shared memory, all ones as B is, or in tensor memory.
  __device__ void multiply(bool a_in_tensor_memory, bool commits = true) const {
    const unsigned long long matrix_at = descriptor(16);
    const unsigned instruction = 1u << 4 | (16 / 8) << 17 | (128 / 16) << 24;
    if (a_in_tensor_memory)
      asm volatile(
          "{ .reg .pred p; setp.ne.b32 p, 0, 0;"
          "  tcgen05.mma.cta_group::1.kind::f16 [%0], [%1], %2, %3, p; }" ::"r"(memory),
          "r"(memory + second), "l"(matrix_at), "r"(instruction)
          : "memory");
    else
      asm volatile(
          "{ .reg .pred p; setp.ne.b32 p, 0, 0;"
          "  tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %1, %2, p; }" ::"r"(memory),
          "l"(matrix_at), "r"(instruction)
          : "memory");
    if (commits) commit();
  }
};

}  // namespace planted
