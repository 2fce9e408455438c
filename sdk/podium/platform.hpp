// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The backend that is being compiled for: its headers, its stream, how functions for both sides are marked.
#pragma once
#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__) || defined(PODIUM_CUDA)
#define PODIUM_ON_CUDA 1
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#elif defined(__HIPCC__) || defined(PODIUM_HIP)
#define PODIUM_ON_HIP 1
#define HIP_ENABLE_WARP_SYNC_BUILTINS  // ROCm 6.2 to 6.4 hide __shfl_xor_sync and its like behind this
// hip_runtime.h comes first: the others use what it defines
#include <hip/hip_runtime.h>
//
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define PODIUM_KERNELS 1  // this compiler takes __global__ functions
#define PODIUM_BOTH __host__ __device__ __forceinline__
#else
#define PODIUM_BOTH inline
#endif

namespace podium {

#if defined(PODIUM_ON_CUDA)
using Stream = cudaStream_t;
using lane_mask = unsigned;  // one bit a lane of a warp
#elif defined(PODIUM_ON_HIP)
using Stream = hipStream_t;
using lane_mask = unsigned long long;  // HIP takes no other width, whatever the device's warp
#else
struct Stream {};  // nothing to enqueue on: calls have happened when they return
#endif

}  // namespace podium
