// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of faults.hip that reach outside of global memory.
#pragma once
#include <hip/hip_runtime.h>

#include <cstdint>

constexpr int block = 256;

__global__ void global_overrun(float* y, int n, bool mended) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n + (mended ? 0 : 1)) y[i] = float(i);
}

// Each thread reads its element, and its neighbour's on the right.
__global__ void load_overrun(const float* x, float* y, int n, bool mended) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) y[i] = x[i] + (i + 1 < n + (mended ? 0 : 1) ? x[i + 1] : 0);
}

// Counts into bins of which there is one too few.
__global__ void atomic_overrun(int* bins, int n, bool mended) {
  const int bin = int(threadIdx.x) % (n + (mended ? 0 : 1));
  atomicAdd(bins + bin, 1);
}

// Through an address that may be one in LDS, for all that the compiler knows.
__global__ void flat_overrun(const float* x, float* y, int n, bool mended) {
  __shared__ float own[block];
  own[threadIdx.x] = 1;
  __syncthreads();
  const int i = int(threadIdx.x);
  const float* volatile place = i & 1 ? own : x;
  const float* const from = place;
  y[i] = from[i & 1 ? i : i + (mended ? 0 : n + 2 - block)];
}

// One element for the whole wave, by a scalar load.
__global__ void scalar_overrun(const float* x, float* y, int n, bool mended) {
  y[threadIdx.x] = x[n - (mended ? 1 : 0)];
}

// Four words in one scalar load, of which two are behind the end: that is no mistake until one is used.
__global__ void scalar_ahead(const float* x, float* y, int n, bool mended) {
  const float* const last = x + n - 2;
  float second = 0, third = 0;
#if defined(__HIP_DEVICE_COMPILE__)
#if defined(__GFX9__)
  asm volatile(
      "s_load_dwordx4 s[20:23], %2, 0x0\n s_waitcnt lgkmcnt(0)\n"
#elif defined(__GFX12__)
  asm volatile(
      "s_load_b128 s[20:23], %2, 0x0\n s_wait_kmcnt 0x0\n"
#else
  asm volatile(
      "s_load_b128 s[20:23], %2, 0x0\n s_waitcnt lgkmcnt(0)\n"
#endif
      "s_mov_b64 s[24:25], s[22:23]\n s_mov_b32 %0, s21\n s_mov_b32 %1, s24"
      : "=s"(second), "=s"(third)
      : "s"(last)
      : "s20", "s21", "s22", "s23", "s24", "s25");
#endif
  y[threadIdx.x] = second;
  if (mended) return;
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile("" : "+s"(third));  // lest the sum is made before the branch
#endif
  y[threadIdx.x] = third + 1;
}

#if defined(__GFX9__)
#define BUFFER(what, wide, arguments) "buffer_" what "_dword" wide " " arguments ", 0 offen\n"
#define SCALAR_BUFFER "s_buffer_load_dwordx4"
#define FOUR "x4"
#define LOADED "s_waitcnt vmcnt(0) lgkmcnt(0)"
#define ADDED "buffer_atomic_add %0, %1, %2, 0 offen glc\n"
#if !defined(__gfx90a__)
#undef ADDED
#define ADDED "buffer_atomic_add %0, %1, %2, 0 offen sc0\n"
#endif
#elif defined(__GFX12__)
#define BUFFER(what, wide, arguments) "buffer_" what "_b" wide " " arguments ", null offen\n"
#define LOADED "s_wait_loadcnt 0x0\n s_wait_kmcnt 0x0"
#define ADDED "buffer_atomic_add_u32 %0, %1, %2, null offen th:TH_ATOMIC_RETURN\n"
#else
#define BUFFER(what, wide, arguments) "buffer_" what "_b" wide " " arguments ", 0 offen\n"
#define LOADED "s_waitcnt vmcnt(0) lgkmcnt(0)"
#define ADDED "buffer_atomic_add_u32 %0, %1, %2, 0 offen glc\n"
#endif
#if !defined(__GFX9__)
#define SCALAR_BUFFER "s_buffer_load_b128"
#define FOUR "128"
#define ONE_WORD "32"
#else
#define ONE_WORD ""
#endif

// Behind a buffer's size: zeros are read, and nothing is written. It is a fault if the size says more than
// there is. y gets what each access gave.
__global__ void buffer_overrun(std::uint32_t* x, float* y, int n, std::uint32_t stated) {
  using Four = std::uint32_t __attribute__((ext_vector_type(4)));
  const auto base = reinterpret_cast<std::uint64_t>(x);
  const auto uniform = [](std::uint64_t word) {
    return std::uint32_t(__builtin_amdgcn_readfirstlane(int(word)));
  };
  const Four buffer = {uniform(base), uniform(base >> 32), uniform(stated), 0x27000};
  std::uint32_t one = 7, old = 10, at = threadIdx.x * 4, near_end = std::uint32_t(n - 2) * 4;
  Four four = {7, 7, 7, 7}, scalars = {7, 7, 7, 7};
#if defined(__HIP_DEVICE_COMPILE__)
  asm volatile(BUFFER("load", ONE_WORD, "%0, %1, %2") LOADED : "=&v"(one) : "v"(at), "s"(buffer) : "memory");
  asm volatile(BUFFER("load", FOUR, "%0, %1, %2") LOADED
               : "=&v"(four)
               : "v"(near_end), "s"(buffer)
               : "memory");
  asm volatile(SCALAR_BUFFER " %0, %1, 0x3f4\n" LOADED : "=&s"(scalars) : "s"(buffer) : "memory");
  asm volatile(ADDED LOADED : "+v"(old) : "v"(at), "s"(buffer) : "memory");
  asm volatile(BUFFER("store", ONE_WORD, "%0, %1, %2") : : "v"(one + 20), "v"(at), "s"(buffer) : "memory");
#endif
  float sum = float(one) + 1000 * float(old);
  for (int i = 0; i < 4; ++i) sum += float((four[i] + scalars[i]) * (i + 1));
  y[threadIdx.x] = sum;
}
