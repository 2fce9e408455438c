// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Keywords and built-in variables of the kernel language.
#pragma once
#include <podium/emulation/shape.hpp>

// As on a GPU a shared variable belongs to the block, here to the OS thread that runs it. __thread and not
// thread_local: like a GPU's compiler, it refuses types with non-trivial constructors. `used`: the compiler
// does not see every access.
#define __shared__ static __thread __attribute__((used))
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

inline __thread uint3 threadIdx, blockIdx;
inline __thread dim3 blockDim, gridDim;

namespace podium::host {
template <int lanes>
int warp_size() {
  return lanes;
}
}  // namespace podium::host

static const int warpSize = podium::host::warp_size<PODIUM_WARP>();  // not a constant expression, as on a GPU
