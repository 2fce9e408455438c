// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The portable dialect: what CUDA and HIP spell differently, on the CPU as well.
#pragma once
#include <podium/error.hpp>
#include <podium/platform.hpp>

#include <cstddef>
#include <utility>
#if defined(PODIUM_EMULATE)
#include <podium/emulation/emulation.hpp>
#endif

namespace podium {

constexpr PODIUM_BOTH std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

#if defined(PODIUM_KERNELS) || defined(PODIUM_EMULATE)
inline constexpr lane_mask all_lanes = ~lane_mask{0};
#endif

#if defined(PODIUM_KERNELS)

// The dynamic shared memory of the block, as an array of T named `name`; 16-byte aligned.
#define PODIUM_DYNAMIC_SHARED(T, name)                            \
  extern __shared__ __align__(16) unsigned char podium_dynamic[]; \
  T* const name = reinterpret_cast<T*>(podium_dynamic)

// Enqueues a kernel; arguments are converted to its parameters' types. Throws if the launch is refused.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, Stream stream,
            Arguments&&... arguments) {
  kernel<<<grid, block, shared_bytes, stream>>>(
      static_cast<Parameters>(std::forward<Arguments>(arguments))...);
#if defined(PODIUM_ON_CUDA)
  check(cudaGetLastError());
#else
  check(hipGetLastError());
#endif
}

// Call it once, in the constructor, for a kernel that needs more than 48 KiB of dynamic shared memory.
template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), int bytes) {
#if defined(PODIUM_ON_CUDA)
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
#else
  check(hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize,
                            bytes));
#endif
}

#endif

}  // namespace podium
