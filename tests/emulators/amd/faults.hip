// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// faults NAME [mended]: one kernel with a planted mistake, or the same kernel without it. Prints what the
// device says at the end, "right" or "wrong".
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "faults_bounds.hpp"

__global__ void lds_overrun(float* y, int, bool mended) {
  extern __shared__ float tile[];
  tile[threadIdx.x + (mended ? 0 : 8)] = float(threadIdx.x);
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x ^ (mended ? 1 : 0)];
}

__global__ void missing_barrier(float* y, int, bool mended) {
  __shared__ float tile[block];
  tile[threadIdx.x] = float(threadIdx.x);
  if (mended) __syncthreads();
  y[threadIdx.x] = tile[(threadIdx.x + 100) % block];
}

// What was read is overwritten before everybody has read it.
__global__ void missing_second_barrier(float* y, int, bool mended) {
  __shared__ float tile[block];
  tile[threadIdx.x] = float(threadIdx.x);
  __syncthreads();
  const float other = tile[(threadIdx.x + 100) % block];
  if (mended) __syncthreads();
  tile[threadIdx.x] = -1;
  __syncthreads();
  y[threadIdx.x] = other + tile[threadIdx.x];
}

__global__ void unset_lds(float* y, int, bool mended) {
  __shared__ float tile[block];
  if (mended || threadIdx.x < 200) tile[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x] + 1;
}

// A register that nobody has written is stored; mended, the one beside it, which is set although the same
// instruction works on pairs of which only the first words are.
__global__ void unset_register(float* y, int, bool mended) {
  float set = 0, unset = 0;
#if defined(__GFX9__)
  asm volatile(
      "v_mov_b32 v100, 1.0\n v_mov_b32 v102, 1.0\n v_pk_add_f32 v[100:101], v[100:101], v[102:103]\n"
      "v_pk_mov_b32 v[104:105], v[100:101], v[100:101] op_sel:[0,1]\n"
#if !defined(__gfx90a__)
      "v_mov_b64 v[104:105], v[104:105]\n"
#endif
      "v_swap_b32 v104, v105\n v_mov_b32 %0, v105\n v_mov_b32 %1, v104"
      : "=v"(set), "=v"(unset)::"v100", "v101", "v102", "v103", "v104", "v105");
#elif defined(__HIP_DEVICE_COMPILE__)
  asm volatile(
      "v_mov_b32 v100, 1.0\n v_add_f32 v102, v100, v100\n v_swap_b32 v102, v103\n"
      "v_permlanex16_b32 v104, v103, 0, 0\n v_mov_b32 %0, v104\n v_permlanex16_b32 v104, v102, 0, 0\n"
      "v_mov_b32 %1, v104"
      : "=v"(set), "=v"(unset)::"v100", "v102", "v103", "v104");
#endif
  y[threadIdx.x] = mended ? set : unset;
}

// Four words are kept in one access, of which the second is a structure's padding: nobody has written it.
// That one is read; mended, the third.
__global__ void unset_padding(float* y, int, bool mended) {
  __shared__ float tile[4 * block];
#if defined(__HIP_DEVICE_COMPILE__)
  const auto at =
      reinterpret_cast<std::uintptr_t>((__attribute__((address_space(3))) float*)(tile + 4 * threadIdx.x));
#if defined(__GFX9__)
#define STORE "ds_write_b128"
#else
#define STORE "ds_store_b128"
#endif
  asm volatile("v_mov_b32 v100, 1.0\n v_mov_b32 v102, 1.0\n v_mov_b32 v103, 1.0\n" STORE
               " %0, v[100:103]" ::"v"(std::uint32_t(at))
               : "v100", "v101", "v102", "v103", "memory");
#endif
  __syncthreads();
  y[threadIdx.x] = tile[4 * threadIdx.x + (mended ? 2 : 1)] + 1;
}

// Sums over a wave, by 32 lanes: on waves of 64 the upper half is left out.
__global__ void waves_of_32(float* y, int, bool mended) {
  float sum = 1;
  const int lanes = mended ? __builtin_amdgcn_wavefrontsize() : 32;
  for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  y[threadIdx.x] = sum / float(__builtin_amdgcn_wavefrontsize());
}

// Counts lanes in a mask of 32 bits.
__global__ void narrow_mask(float* y, int, bool mended) {
  const unsigned long long all = __ballot(1);
  const int lanes = mended ? __popcll(all) : __popc(unsigned(all));
  y[threadIdx.x] = float(lanes) / float(__builtin_amdgcn_wavefrontsize());
}

// Block 0 waits for block 1, which waits for block 0.
__global__ void deadlock(volatile int* flag, bool mended) {
  if (threadIdx.x == 0) {
    if (mended || blockIdx.x > 1) flag[blockIdx.x] = 1;
    while (flag[blockIdx.x ^ 1] == 0) {
    }
    flag[blockIdx.x] = 1;
  }
}

// The same, with stores of what is there already: nothing changes.
__global__ void idle_stores(volatile int* flag, bool mended) {
  __shared__ volatile int own[64];
  own[threadIdx.x] = int(threadIdx.x);
  if (mended) flag[1] = 1;
  while (flag[1] == 0) {
    flag[2] = 0;
    own[threadIdx.x] = int(threadIdx.x);
  }
}

// Not a mistake: waits for a time to pass, by both counters. That of cycles says the same in every run: the
// same number for each time that it is read.
__global__ void clocks(float* y) {
  const long long first = clock64(), second = clock64(), third = clock64(), cycles = 100000;
  const bool even = second - first > 0 && third - second == second - first;
  while (clock64() - third < cycles) {
  }
  const long long before = wall_clock64(), ticks = 1000;
  while (wall_clock64() - before < ticks) {
  }
  y[threadIdx.x] = even ? 1 : 2;
}

// Not a mistake: functions that call others, each with an array and spilled registers of its own in scratch.
__device__ __attribute__((noinline)) float inner(int seed) {
  volatile float mine[8];
  for (int i = 0; i < 8; ++i) mine[i] = float(seed + i);
  return mine[seed & 7];
}
__device__ __attribute__((noinline)) float middle(int seed) {
  volatile float mine[4];
  for (int i = 0; i < 4; ++i) mine[i] = inner(seed + i);
  return mine[0] + (mine[seed & 3] - inner(seed + (seed & 3)));
}
__device__ __attribute__((noinline)) float outer(int seed) {
  volatile float mine[16];
  for (int i = 0; i < 16; ++i) mine[i] = middle(seed + i) - float(seed + i);
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += mine[i] - float((seed + i) & 7);
  return sum;
}
__global__ void stacks(float* y) { y[threadIdx.x] = outer(int(threadIdx.x)) + float(threadIdx.x); }

// Which wave of its group a thread is in: RDNA 4 has it in a register.
__global__ void wave_number(float* y) {
  int number = int(threadIdx.x) / warpSize;
#if defined(__GFX12__)
  asm volatile("s_bfe_u32 %0, ttmp8, 0x50019" : "=s"(number));
#endif
  y[threadIdx.x] = number == int(threadIdx.x) / warpSize ? 1 : 0;
}

// Not a mistake: every block waits for the one before it, as a scan by look-back does.
__global__ void look_back(int* total, float* y) {
  if (threadIdx.x == 0) {
    while (__hip_atomic_load(total, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != int(blockIdx.x)) {
    }
    __hip_atomic_store(total, int(blockIdx.x) + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int finish(const std::vector<float>& expected, const float* y) {
  if (const auto status = hipGetLastError(); status != hipSuccess) {  // nothing was launched
    std::printf("%s: %s\n", hipGetErrorName(status), hipGetErrorString(status));
    return 0;
  }
  if (const auto status = hipDeviceSynchronize(); status != hipSuccess) {
    std::printf("%s\n", hipGetErrorString(status));
    return 0;
  }
  std::vector<float> found(expected.size());
  if (hipMemcpy(found.data(), y, found.size() * sizeof(float), hipMemcpyDefault) != hipSuccess) return 1;
  std::printf("%s\n", found == expected ? "right" : "wrong");
  return 0;
}

int main(int argc, char** argv) {
  const char* const name = argc > 1 ? argv[1] : "";
  const bool mended = argc > 2;
  const auto is = [&](const char* one) { return std::strcmp(name, one) == 0; };
  float* y = nullptr;
  int* flags = nullptr;
  if (hipMalloc(&y, 4 * block * sizeof(float)) != hipSuccess || hipMalloc(&flags, 64) != hipSuccess ||
      hipMemset(flags, 0, 64) != hipSuccess)
    return 1;
  std::vector<float> expected(block);
  if (is("global_overrun")) {
    for (int i = 0; i < block; ++i) expected[i] = float(i);
    float* tight = nullptr;
    if (hipMalloc(&tight, 255 * sizeof(float)) != hipSuccess) return 1;
    global_overrun<<<1, block>>>(tight, 255, mended);
    expected.resize(255);
    return finish(expected, tight);
  }
  if (is("load_overrun") || is("flat_overrun") || is("scalar_overrun") || is("scalar_ahead")) {
    constexpr int n = 255;
    float* x = nullptr;
    std::vector<float> given(n);
    for (int i = 0; i < n; ++i) given[i] = float(i);
    if (hipMalloc(&x, n * sizeof(float)) != hipSuccess ||
        hipMemcpy(x, given.data(), n * sizeof(float), hipMemcpyDefault) != hipSuccess)
      return 1;
    if (is("load_overrun")) {
      expected.resize(n);
      for (int i = 0; i < n; ++i) expected[i] = float(i + (i + 1 < n ? i + 1 : 0));
      load_overrun<<<1, block>>>(x, y, n, mended);
    } else if (is("flat_overrun")) {
      for (int i = 0; i < block; ++i) expected[i] = i & 1 ? 1 : float(i);
      flat_overrun<<<1, block>>>(x, y, n, mended);
    } else {
      expected.assign(block, float(n - 1));
      if (is("scalar_overrun")) scalar_overrun<<<1, block>>>(x, y, n, mended);
      if (is("scalar_ahead")) scalar_ahead<<<1, block>>>(x, y, n, mended);
    }
    return finish(expected, y);
  }
  if (is("buffer_overrun")) {
    constexpr int n = 255;
    std::uint32_t* x = nullptr;
    std::vector<std::uint32_t> given(n), left(n);
    for (int i = 0; i < n; ++i) given[i] = std::uint32_t(i);
    if (hipMalloc(&x, 4 * n) != hipSuccess ||
        hipMemcpy(x, given.data(), 4 * n, hipMemcpyDefault) != hipSuccess)
      return 1;
    for (int i = 0; i < block; ++i) expected[i] = float((i < n ? i + 1000 * i : 0) + 2 * (253 + 2 * 254));
    // All waves read the end before the last one writes it: until an atomic none gives up its turn.
    buffer_overrun<<<1, block>>>(x, y, n, 4u * (mended ? n : n + 1));
    const int status = finish(expected, y);
    if (mended && (hipMemcpy(left.data(), x, 4 * n, hipMemcpyDefault) != hipSuccess || left[9] != 29))
      return 1;
    return status;
  }
  if (is("atomic_overrun")) {
    int* bins = nullptr;
    if (hipMalloc(&bins, 15 * sizeof(int)) != hipSuccess ||
        hipMemset(bins, 0, 15 * sizeof(int)) != hipSuccess)
      return 1;
    expected.clear();
    atomic_overrun<<<1, block>>>(bins, 15, mended);
    return finish(expected, y);
  }
  if (is("lds_overrun")) {
    for (int i = 0; i < block; ++i) expected[i] = float(i ^ 1);
    lds_overrun<<<1, block, block * sizeof(float)>>>(y, block, mended);
  }
  if (is("missing_barrier")) {
    for (int i = 0; i < block; ++i) expected[i] = float((i + 100) % block);
    missing_barrier<<<1, block>>>(y, block, mended);
  }
  if (is("missing_second_barrier")) {
    for (int i = 0; i < block; ++i) expected[i] = float((i + 100) % block) - 1;
    missing_second_barrier<<<1, block>>>(y, block, mended);
  }
  if (is("unset_lds")) {
    expected.assign(block, 2);
    unset_lds<<<1, block>>>(y, block, mended);
  }
  if (is("unset_register")) {
    expected.assign(block, 2);
    unset_register<<<1, block>>>(y, block, mended);
  }
  if (is("unset_padding")) {
    expected.assign(block, 2);
    unset_padding<<<1, block>>>(y, block, mended);
  }
  if (is("waves_of_32")) {
    expected.assign(block, 1);
    waves_of_32<<<1, block>>>(y, block, mended);
  }
  if (is("narrow_mask")) {
    expected.assign(block, 1);
    narrow_mask<<<1, block>>>(y, block, mended);
  }
  if (is("deadlock")) {
    expected.clear();
    deadlock<<<2, 64>>>(flags, mended);
  }
  if (is("idle_stores")) {
    expected.clear();
    idle_stores<<<1, 64>>>(flags, mended);
  }
  if (is("clocks")) {
    expected.assign(1, 1);
    clocks<<<1, 1>>>(y);
  }
  if (is("stacks")) {
    expected.resize(block - 10);  // registers are spilled of the lanes that are off as well
    for (int i = 0; i < block - 10; ++i) expected[i] = float(i);
    stacks<<<1, block - 10>>>(y);
  }
  if (is("wave_number")) {
    expected.assign(block, 1);
    wave_number<<<1, block>>>(y);
  }
  if (is("look_back")) {
    expected.assign(4 * block, 1);
    look_back<<<16, 64>>>(flags, y);
  }
  return finish(expected, y);
}
