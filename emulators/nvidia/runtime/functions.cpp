// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a kernel is allowed, what it needs, and how much of it fits the device at a time.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>

#include "emulators/nvidia/runtime/architecture.hpp"
#include "emulators/nvidia/runtime/launches.hpp"
#include "emulators/nvidia/runtime/modules.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

constexpr int some_registers = 64;  // of a thread: machine code has a number, PTX has none

cudaError_t allow(Function* function, int attribute, int value) {
  if (!function) return noted(cudaErrorInvalidDeviceFunction);
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || value > architecture().shared_per_block) return noted(cudaErrorInvalidValue);
    function->allowed_dynamic = static_cast<u32>(value);
  }
  if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) function->larger_clusters = value != 0;
  return cudaSuccess;
}

// nullptr after noting an error.
const Kernel* kernel_of(Function* function) {
  if (function) return kernel_of(*function);
  noted(cudaErrorInvalidDeviceFunction);
  return nullptr;
}

cudaError_t describe(Function* function, cudaFuncAttributes& attributes) {
  attributes = {};
  const Kernel* const kernel = kernel_of(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  attributes.sharedSizeBytes = kernel->static_end - shared_begin;
  attributes.localSizeBytes = kernel->local_bytes;
  attributes.maxThreadsPerBlock = static_cast<int>(std::min<u32>(kernel->most_threads, 1024));
  attributes.numRegs = some_registers;
  attributes.ptxVersion = attributes.binaryVersion = architecture().major * 10 + architecture().minor;
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(function->allowed_dynamic);
  attributes.nonPortableClusterSizeAllowed = function->larger_clusters ? 1 : 0;
  return cudaSuccess;
}

// Where a parameter lies among the kernel's.
cudaError_t describe(Function* function, std::size_t number, std::size_t* offset, std::size_t* bytes) {
  const Kernel* const kernel = kernel_of(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (number >= kernel->parameter_count) return noted(cudaErrorInvalidValue);
  if (offset) *offset = kernel->parameters[number].offset;
  if (bytes) *bytes = kernel->parameters[number].bytes;
  return cudaSuccess;
}

cudaError_t name_of(const Function* function, const char** name) {
  if (!function) return noted(cudaErrorInvalidDeviceFunction);
  *name = function->name.c_str();
  return cudaSuccess;
}

cudaError_t count_blocks(Function* function, int threads, std::size_t dynamic_bytes, int& count) {
  const Kernel* const kernel = kernel_of(function);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (threads < 0) return noted(cudaErrorInvalidValue);
  count = static_cast<int>(blocks_per_multiprocessor(*kernel, static_cast<u64>(threads), dynamic_bytes));
  return cudaSuccess;
}

// The device runs any cluster that may be launched, also one that has more blocks than fit beside each other.
cudaError_t count_clusters(Function* function, const Request& r, int& count) {
  int blocks = 0;
  if (const cudaError_t status =
          count_blocks(function, static_cast<int>(product(r.block)), r.dynamic_bytes, blocks);
      status != cudaSuccess)
    return status;
  const u64 size = std::max<u64>(product(r.cluster), 1);
  count = blocks == 0 || size > largest_cluster_of(*function)
              ? 0
              : static_cast<int>(std::max<u64>(static_cast<u64>(multiprocessors) * blocks / size, 1));
  return cudaSuccess;
}

cudaError_t largest_cluster(Function* function, const Request& r, int& size) {
  int blocks = 0;
  const cudaError_t status =
      count_blocks(function, static_cast<int>(product(r.block)), r.dynamic_bytes, blocks);
  size = blocks == 0 ? 0 : static_cast<int>(largest_cluster_of(*function));
  return status;
}

// That each of so many blocks of a multiprocessor may have.
cudaError_t dynamic_bytes_of(Function* function, int blocks, int threads, std::size_t& bytes) {
  int possible = 0;
  if (const cudaError_t status = count_blocks(function, threads, 0, possible); status != cudaSuccess)
    return status;
  if (blocks < 1 || blocks > possible) return noted(cudaErrorInvalidValue);
  const Kernel& kernel = *function->kernel;
  const std::size_t share = static_cast<std::size_t>(architecture().shared_per_multiprocessor / blocks);
  const std::size_t most =
      static_cast<std::size_t>(architecture().shared_per_block) - (kernel.static_end - shared_begin);
  bytes = std::min(share - kernel.dynamic_begin, most);
  return cudaSuccess;
}

Function* function_of(CUfunction function) { return reinterpret_cast<Function*>(function); }

CUresult as_result(cudaError_t status) { return static_cast<CUresult>(status); }

}  // namespace

u64 product(const dim3& a) { return static_cast<u64>(a.x) * a.y * a.z; }

u32 blocks_per_multiprocessor(const Kernel& kernel, u64 threads, std::size_t dynamic_bytes) {
  const Architecture& a = architecture();
  if (threads == 0 || threads > kernel.most_threads) return 0;
  const u64 rounded = (threads + 31) / 32 * 32;
  const u64 shared = kernel.dynamic_begin + dynamic_bytes;  // with the system's share
  const u64 by_threads = static_cast<u64>(a.threads_per_multiprocessor) / rounded;
  const u64 by_memory = static_cast<u64>(a.shared_per_multiprocessor) / shared;
  return static_cast<u32>(std::min({by_threads, by_memory, static_cast<u64>(a.blocks_per_multiprocessor)}));
}

u64 largest_cluster_of(const Function& function) {
  constexpr u64 portable = 8, on_request = 16;
  if (architecture().major < 9) return 1;
  return function.larger_clusters ? on_request : portable;
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* host, cudaFuncAttribute attribute, int value) {
  return allow(function_of(host), attribute, value);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  static_assert(int{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES} ==
                int{cudaFuncAttributeMaxDynamicSharedMemorySize});
  static_assert(int{CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED} ==
                int{cudaFuncAttributeNonPortableClusterSizeAllowed});
  return as_result(allow(function_of(function), attribute, value));
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value,
                                            int device) {
  if (device != 0) return noted(cudaErrorInvalidDevice);
  return allow(reinterpret_cast<Function*>(kernel), attribute, value);
}
cudaError_t cudaFuncSetCacheConfig(const void*, cudaFuncCache) { return cudaSuccess; }

CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) { return CUDA_SUCCESS; }
cudaError_t cudaFuncGetName(const char** name, const void* host) { return name_of(function_of(host), name); }
CUresult cuFuncGetName(const char** name, CUfunction function) {
  return as_result(name_of(function_of(function), name));
}
cudaError_t cudaFuncGetParamInfo(const void* host, size_t number, size_t* offset, size_t* bytes) {
  return describe(function_of(host), number, offset, bytes);
}
CUresult cuFuncGetParamInfo(CUfunction function, size_t number, size_t* offset, size_t* bytes) {
  return as_result(describe(function_of(function), number, offset, bytes));
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* host) {
  return describe(function_of(host), *attributes);
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  cudaFuncAttributes all;
  if (const cudaError_t status = describe(function_of(function), all); status != cudaSuccess)
    return as_result(status);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = all.maxThreadsPerBlock;
      break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      *value = static_cast<int>(all.localSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = all.numRegs;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = all.ptxVersion;
      break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *value = all.nonPortableClusterSizeAllowed;
      break;
    default:
      return as_result(refused(cudaErrorNotSupported,
                               "cuFuncGetAttribute: an emulated device does not know "
                               "this attribute"));
  }
  return CUDA_SUCCESS;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, const void* host, int threads,
                                                                   size_t shared, unsigned) {
  return count_blocks(function_of(host), threads, shared, *count);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* count, const void* host, int threads,
                                                          size_t shared) {
  return count_blocks(function_of(host), threads, shared, *count);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* count, CUfunction function, int threads,
                                                              size_t shared, unsigned) {
  return as_result(count_blocks(function_of(function), threads, shared, *count));
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* count, CUfunction function, int threads,
                                                     size_t shared) {
  return as_result(count_blocks(function_of(function), threads, shared, *count));
}
cudaError_t cudaOccupancyMaxActiveClusters(int* count, const void* host, const cudaLaunchConfig_t* config) {
  return count_clusters(function_of(host), request_of(*config), *count);
}
CUresult cuOccupancyMaxActiveClusters(int* count, CUfunction function, const CUlaunchConfig* config) {
  return as_result(count_clusters(function_of(function), request_of(*config), *count));
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* host,
                                                 const cudaLaunchConfig_t* config) {
  return largest_cluster(function_of(host), request_of(*config), *size);
}
CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
  return as_result(largest_cluster(function_of(function), request_of(*config), *size));
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* host, int blocks,
                                                      int threads) {
  return dynamic_bytes_of(function_of(host), blocks, threads, *bytes);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
  return as_result(dynamic_bytes_of(function_of(function), blocks, threads, *bytes));
}

}  // extern "C"
