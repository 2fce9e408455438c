// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// CUDA under the names of backends/gpu.
#pragma once
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/cuda/driver.hpp"

namespace podium::gpu::api {

using Status = cudaError_t;
using Stream = cudaStream_t;
using Event = cudaEvent_t;
using Graph = cudaGraph_t;
using GraphExec = cudaGraphExec_t;
using Module = CUmodule;
using Function = CUfunction;
using Pool = cudaMemPool_t;
using Allocation = CUmemGenericAllocationHandle;
using AllocationProperties = CUmemAllocationProp;

inline constexpr Status success = cudaSuccess, not_ready = cudaErrorNotReady,
                        out_of_memory = cudaErrorMemoryAllocation;
inline constexpr auto any_direction = cudaMemcpyDefault;
inline constexpr unsigned stream_non_blocking = cudaStreamNonBlocking,
                          host_register_mapped = cudaHostRegisterMapped,
                          host_alloc_default = cudaHostAllocDefault;
inline constexpr auto pool_release_threshold = cudaMemPoolAttrReleaseThreshold;
inline constexpr auto pinned_allocation = CU_MEM_ALLOCATION_TYPE_PINNED;
inline constexpr auto device_location = CU_MEM_LOCATION_TYPE_DEVICE;

inline constexpr auto error_name = cudaGetErrorName;
inline constexpr auto error_string = cudaGetErrorString;
inline constexpr auto last_error = cudaGetLastError;
inline constexpr auto get_device = cudaGetDevice;
inline constexpr auto set_device = cudaSetDevice;
inline constexpr auto can_access_peer = cudaDeviceCanAccessPeer;
inline constexpr auto event_query = cudaEventQuery;
inline constexpr auto device_count = cudaGetDeviceCount;
inline constexpr auto pci_address = cudaDeviceGetPCIBusId;
inline constexpr auto device_synchronise = cudaDeviceSynchronize;
inline constexpr auto memory_info = cudaMemGetInfo;
inline constexpr auto malloc = cudaMalloc;
inline constexpr auto free = cudaFree;
inline constexpr auto host_alloc = cudaHostAlloc;
inline constexpr auto default_pool = cudaDeviceGetDefaultMemPool;
inline constexpr auto pool_set_attribute = cudaMemPoolSetAttribute;
inline constexpr auto pool_trim = cudaMemPoolTrimTo;
inline constexpr auto host_free = cudaFreeHost;
inline constexpr auto host_register = cudaHostRegister;
inline constexpr auto host_unregister = cudaHostUnregister;
inline constexpr auto host_get_device_pointer = cudaHostGetDevicePointer;
inline constexpr auto memcpy_async = cudaMemcpyAsync;
inline constexpr auto memset_async = cudaMemsetAsync;
inline constexpr auto stream_create_with_flags = cudaStreamCreateWithFlags;
inline constexpr auto stream_destroy = cudaStreamDestroy;
inline constexpr auto stream_synchronise = cudaStreamSynchronize;
inline constexpr auto capture_thread_local = cudaStreamCaptureModeThreadLocal;
inline constexpr auto stream_begin_capture = cudaStreamBeginCapture;
inline constexpr auto stream_end_capture = cudaStreamEndCapture;
inline constexpr auto graph_destroy = cudaGraphDestroy;
inline constexpr auto graph_get_nodes = cudaGraphGetNodes;
inline constexpr auto graph_instantiate = cudaGraphInstantiateWithFlags;
inline constexpr auto graph_exec_destroy = cudaGraphExecDestroy;
inline constexpr auto graph_launch = cudaGraphLaunch;
inline constexpr auto event_create = cudaEventCreate;
inline constexpr auto event_destroy = cudaEventDestroy;
inline constexpr auto event_record = cudaEventRecord;
inline constexpr auto event_synchronise = cudaEventSynchronize;
inline constexpr auto event_elapsed_time = cudaEventElapsedTime;

// The driver's error numbers are the runtime's (since CUDA 10.1), so one check serves both.
inline Status from(CUresult result) { return static_cast<Status>(result); }
inline CUdeviceptr address(const void* at) { return reinterpret_cast<CUdeviceptr>(at); }

inline Status module_load_data(Module* module, const void* image) {
  return from(driver().module_load_data(module, image));
}
inline Status module_unload(Module module) { return from(driver().module_unload(module)); }
inline Status module_get_function(Function* function, Module module, const char* name) {
  return from(driver().module_get_function(function, module, name));
}
inline Status launch(Function function, unsigned blocks, unsigned threads, Stream stream, void** arguments) {
  return from(driver().launch_kernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
}
inline Status allow_shared(Function function, unsigned bytes) {
  return from(gpu::allow_shared(function, bytes));
}
inline Status launch(Function function, const unsigned (&grid)[3], const unsigned (&block)[3],
                     unsigned shared, Stream stream, void** arguments) {
  return from(driver().launch_kernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                     shared, stream, arguments, nullptr));
}
inline Status stream_wait_equal(Stream stream, void* at, std::uint32_t value) {
  return from(driver().stream_wait_value(stream, address(at), value, CU_STREAM_WAIT_VALUE_EQ));
}

inline void request_descriptor(AllocationProperties& properties) {
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
}
inline Status create(Allocation* allocation, std::size_t bytes, const AllocationProperties& properties) {
  return from(driver().mem_create(allocation, bytes, &properties, 0));
}
inline Status release(Allocation allocation) { return from(driver().mem_release(allocation)); }
inline Status export_descriptor(int* descriptor, Allocation allocation) {
  return from(driver().mem_export(descriptor, allocation, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
}
inline Status import_descriptor(Allocation* allocation, int descriptor) {
  return from(driver().mem_import(allocation, reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                                  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
}
inline Status reserve(std::byte** at, std::size_t bytes) {
  CUdeviceptr reserved = 0;
  const auto status = from(driver().mem_reserve(&reserved, bytes, 0, 0, 0));
  *at = reinterpret_cast<std::byte*>(reserved);
  return status;
}
inline Status give_back(std::byte* at, std::size_t bytes) {
  return from(driver().mem_give_back(address(at), bytes));
}
inline Status map(std::byte* at, std::size_t bytes, Allocation allocation) {
  return from(driver().mem_map(address(at), bytes, 0, allocation, 0));
}
inline Status unmap(std::byte* at, std::size_t bytes) { return from(driver().mem_unmap(address(at), bytes)); }
inline Status allow(std::byte* at, std::size_t bytes, int device) {
  CUmemAccessDesc access{};
  access.location.type = device_location;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return from(driver().mem_allow(address(at), bytes, &access, 1));
}

}  // namespace podium::gpu::api
