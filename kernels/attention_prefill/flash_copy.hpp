// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tiles in shared memory: how rows are laid out there, and how they come there.
#pragma once
#include <podium/podium.hpp>

#include "view.hpp"

namespace attention::flash {

constexpr int chunk_width = 8;  // elements that are copied at once

// A zero that the compiler does not know: addresses computed with it are computed again in each turn of a
// loop, and take no registers from the one to the next.
__device__ inline int unknown_zero() {
  int zero = 0;
#if defined(PODIUM_ON_CUDA)
  asm volatile("" : "+r"(zero));
#endif
  return zero;
}

// 16 bytes to shared memory, zeros if not `present`; there after arrive().
__device__ inline void copy(void* to, const void* from, bool present) {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "r"(present ? 16 : 0)
               : "memory");
#else
  const uint4 none = make_uint4(0, 0, 0, 0);
  *static_cast<uint4*>(to) = present ? *static_cast<const uint4*>(from) : none;
#endif
}
__device__ inline void arrive() {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncthreads();
}

// Eight elements in a row of a tile in shared memory. Chunks are permuted so that those of eight rows lie in
// different banks.
template <int head_dim>
__device__ real* chunk(real* tile, int row, int column) {
  return tile + row * head_dim + (column / chunk_width ^ row % chunk_width) * chunk_width;
}

struct alignas(16) Chunk {
  real at[chunk_width];
};

template <class T>
__device__ void widen(const T* from, float (&to)[chunk_width]) {
  struct alignas(chunk_width * sizeof(T)) Packet {
    T at[chunk_width];
  };
  const Packet packet = *reinterpret_cast<const Packet*>(from);
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) to[n] = podium::cast<float>(packet.at[n]);
}
__device__ inline void put(real* to, const float (&numbers)[chunk_width]) {
  Chunk packet;
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) packet.at[n] = podium::cast<real>(numbers[n]);
  *reinterpret_cast<Chunk*>(to) = packet;
}

}  // namespace attention::flash
