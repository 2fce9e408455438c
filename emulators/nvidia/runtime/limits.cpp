// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Limits of the device: kept, and of no effect. An emulated device has no cache to set aside, and takes what
// its kernels need of stack and heap.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "emulators/nvidia/runtime/architecture.hpp"
#include "emulators/nvidia/runtime/contexts.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

std::mutex mutex;
std::map<int, std::size_t>& limits() {
  // What an H100 says before anything is set, in bytes; CUDA's guide has the stack's, the buffer's and the
  // heap's.
  static auto* const all = new std::map<int, std::size_t>{
      {cudaLimitStackSize, 1 << 10},        {cudaLimitPrintfFifoSize, 1 << 20},
      {cudaLimitMallocHeapSize, 8 << 20},   {cudaLimitDevRuntimePendingLaunchCount, 2048},
      {cudaLimitMaxL2FetchGranularity, 64}, {cudaLimitPersistingL2CacheSize, 0}};
  return *all;
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  const std::lock_guard lock(podium::ptx::mutex);
  const auto found = limits().find(limit);
  if (found == limits().end()) return noted(cudaErrorUnsupportedLimit);
  found->second =
      limit == cudaLimitPersistingL2CacheSize ? std::min<size_t>(value, persisting_cache_bytes) : value;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  const std::lock_guard lock(podium::ptx::mutex);
  const auto found = limits().find(limit);
  if (found == limits().end()) return noted(cudaErrorUnsupportedLimit);
  *value = found->second;
  return cudaSuccess;
}
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  return as_result(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}
CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  return as_result(cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxResetPersistingL2Cache() { return CUDA_SUCCESS; }

}  // extern "C"
