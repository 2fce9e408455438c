// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A judge's program for the tests, in the shape of the real ones: kernels over words and groups.
#include <cstdint>

#if defined(__CUDACC__) || defined(__HIPCC__)
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
#endif
struct Words {
  std::uint64_t values[512];
};
#define KERNEL(name) extern "C" __global__ void __launch_bounds__(256) name(Words words)
#define WORD(i) words.values[i]
#define FIRST (std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x)
#define STEP (std::uint64_t(gridDim.x) * blockDim.x)
#else
#define KERNEL(name) extern "C" void name(const std::uint64_t* words, int group, int groups)
#define WORD(i) words[i]
#define FIRST std::uint64_t(group)
#define STEP std::uint64_t(groups)
#endif

// The suite's own kernel, which is in every judge's program; on the CPU the backend counts by itself.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define PODIUM_WORDS 512
#include "../../suite/problem/program/clock.hpp"
#endif

// words: address, count, factor. at[i] = i * factor
KERNEL(multiples) {
  auto* at = reinterpret_cast<std::uint32_t*>(WORD(0));
  for (std::uint64_t i = FIRST; i < WORD(1); i += STEP) at[i] = static_cast<std::uint32_t>(i * WORD(2));
}

// words: address, count. at[i] += 1, to show order and that each element is met once
KERNEL(increment) {
  auto* at = reinterpret_cast<std::uint32_t*>(WORD(0));
  for (std::uint64_t i = FIRST; i < WORD(1); i += STEP) at[i] += 1;
}
