// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Times calls of a library alone, behind a gate, in one process: what the tables are held against.
#pragma once
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                        \
  if (auto status = (call); status != decltype(status)(0)) \
  std::printf("%s: %d\n", #call, int(status)), std::exit(1)

// Nearly normal (a sum of four uniform numbers), as the problems' inputs: radix sort depends on the
// distribution.
template <class T>
__global__ void fill(T* x, std::size_t n, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += std::size_t(gridDim.x) * blockDim.x) {
    float total = -2;
    for (unsigned k = 0; k < 4; ++k) {
      unsigned h = (unsigned(i) * 4 + k) * 2654435761u ^ seed;
      h = (h ^ h >> 15) * 2246822519u, h = (h ^ h >> 13) * 3266489917u, h ^= h >> 16;
      total += float(h) * 0x1p-32f;
    }
    x[i] = T(total * 1.7320508f);
  }
}
// A multiple of 256 bytes, and of no more: so the judge places tensors.
template <class T>
T* random_values(std::size_t n, unsigned seed) {
  char* base;
  CHECK(cudaMalloc(&base, n * sizeof(T) + 256));
  T* x = reinterpret_cast<T*>(base + 256);
  fill<<<4096, 256>>>(x, n, seed);
  CHECK(cudaDeviceSynchronize());
  return x;
}

inline void give_back(void* x) { CHECK(cudaFree(static_cast<char*>(x) - 256)); }

inline std::size_t flush_bytes;

// Median of event times in microseconds: caches flushed, launches queued behind a closed gate.
template <class Call>
void time(const char* name, long n, Call call) {
  static unsigned* gate = [] {
    unsigned* g;
    CHECK(cudaHostAlloc(&g, 4, cudaHostAllocMapped));
    return g;
  }();
  static char* cache = [] {
    char* c;
    CHECK(cudaMalloc(&c, flush_bytes));
    return c;
  }();
  cudaStream_t stream;
  cudaEvent_t start, stop;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  void* device_gate;
  CHECK(cudaHostGetDevicePointer(&device_gate, gate, 0));
  call(stream);
  std::vector<float> times;
  for (unsigned i = 1; i <= 60; ++i) {
    CHECK(cudaMemset(cache, int(i), flush_bytes));
    CHECK(cudaDeviceSynchronize());
    *gate = 0;
    CHECK(cuStreamWaitValue32(stream, CUdeviceptr(device_gate), i, CU_STREAM_WAIT_VALUE_EQ));
    CHECK(cudaEventRecord(start, stream));
    call(stream);
    CHECK(cudaEventRecord(stop, stream));
    *static_cast<volatile unsigned*>(gate) = i;
    CHECK(cudaDeviceSynchronize());
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    if (i > 10) times.push_back(1000 * ms);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-16s n=%-10ld %10.2f us\n", name, n, times[times.size() / 2]);
}

// From the command line: MiB that flush the caches; default: twice the L2, as the judge's flush.
inline void set_flush(int argc, char** argv) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  flush_bytes = argc > 1 ? std::stoul(argv[1]) << 20 : 2 * std::size_t(properties.l2CacheSize);
  std::printf("flush: %zu MiB, L2: %d MiB\n", flush_bytes >> 20, properties.l2CacheSize >> 20);
}
