// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All of the shared memory in which a call's tensors lie: the driver tells where a block begins and ends. A
// helper: no contestant.
#pragma once
#include <cuda.h>
#include <dlfcn.h>
#include <podium/sum.hpp>

#include <stdexcept>

namespace {
struct ArenaRange {
  float* begin = nullptr;
  std::size_t bytes = 0;
};

inline ArenaRange arena_around(const void* tensor) {
  using Range = CUresult (*)(CUdeviceptr*, std::size_t*, CUdeviceptr);
  const auto range =
      reinterpret_cast<Range>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuMemGetAddressRange_v2"));
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  if (range == nullptr || range(&begin, &bytes, reinterpret_cast<CUdeviceptr>(tensor)) != CUDA_SUCCESS)
    throw std::runtime_error("the driver does not tell where the arena lies");
  return {reinterpret_cast<float*>(begin), bytes};
}

// As much of the cache as can be kept from being evicted; throws where the device grants none of it.
inline std::size_t set_aside() {
  int device = 0, most = 0;
  podium::check(cudaGetDevice(&device));
  podium::check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device));
  podium::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::size_t(most)));
  std::size_t granted = 0;
  podium::check(cudaDeviceGetLimit(&granted, cudaLimitPersistingL2CacheSize));
  if (granted == 0) throw std::runtime_error("no part of the cache can be set aside");
  return granted;
}
}  // namespace
