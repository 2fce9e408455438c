// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// HIP under the names of backends/gpu.
#pragma once
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "backends/hip/versions.hpp"

namespace podium::gpu::api {

using Status = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using Graph = hipGraph_t;
using GraphExec = hipGraphExec_t;
using Module = hipModule_t;
using Function = hipFunction_t;
using Pool = hipMemPool_t;
using Allocation = hipMemGenericAllocationHandle_t;
using AllocationProperties = hipMemAllocationProp;

inline constexpr Status success = hipSuccess, not_ready = hipErrorNotReady,
                        out_of_memory = hipErrorOutOfMemory;
inline constexpr auto any_direction = hipMemcpyDefault;
inline constexpr unsigned stream_non_blocking = hipStreamNonBlocking,
                          host_register_mapped = hipHostRegisterMapped,
                          host_alloc_default = hipHostMallocDefault;
inline constexpr auto pool_release_threshold = hipMemPoolAttrReleaseThreshold;
inline constexpr auto pinned_allocation = hipMemAllocationTypePinned;
inline constexpr auto device_location = hipMemLocationTypeDevice;

inline constexpr auto error_name = hipGetErrorName;
inline constexpr auto error_string = hipGetErrorString;
inline constexpr auto last_error = hipGetLastError;
inline constexpr auto get_device = hipGetDevice;
inline constexpr auto set_device = hipSetDevice;
inline constexpr auto can_access_peer = hipDeviceCanAccessPeer;
inline constexpr auto event_query = hipEventQuery;
inline constexpr auto device_count = hipGetDeviceCount;
inline constexpr auto pci_address = hipDeviceGetPCIBusId;
inline constexpr auto device_synchronise = hipDeviceSynchronize;
inline constexpr auto memory_info = hipMemGetInfo;
inline constexpr auto default_pool = hipDeviceGetDefaultMemPool;
inline constexpr auto pool_set_attribute = hipMemPoolSetAttribute;
inline constexpr auto pool_trim = hipMemPoolTrimTo;
inline constexpr auto host_register = hipHostRegister;
inline constexpr auto host_unregister = hipHostUnregister;
inline constexpr auto host_get_device_pointer = hipHostGetDevicePointer;
inline constexpr auto memcpy_async = hipMemcpyAsync;
inline constexpr auto memset_async = hipMemsetAsync;
inline constexpr auto stream_create_with_flags = hipStreamCreateWithFlags;
inline constexpr auto stream_synchronise = hipStreamSynchronize;
inline constexpr auto capture_thread_local = hipStreamCaptureModeThreadLocal;
inline constexpr auto stream_begin_capture = hipStreamBeginCapture;
inline constexpr auto stream_end_capture = hipStreamEndCapture;
inline constexpr auto graph_get_nodes = hipGraphGetNodes;
inline constexpr auto graph_instantiate = hipGraphInstantiateWithFlags;
inline constexpr auto graph_launch = hipGraphLaunch;
inline constexpr auto event_record = hipEventRecord;
inline constexpr auto event_synchronise = hipEventSynchronize;
inline constexpr auto event_elapsed_time = hipEventElapsedTime;

// Handles are destroyed by these: functions of this header, since those of HIP's NVIDIA platform are each
// source's own, and so would be the types that name them.
inline Status free(void* at) { return hipFree(at); }
inline Status host_free(void* at) { return hipHostFree(at); }
inline Status stream_destroy(Stream stream) { return hipStreamDestroy(stream); }
inline Status event_destroy(Event event) { return hipEventDestroy(event); }
inline Status graph_destroy(Graph graph) { return hipGraphDestroy(graph); }
inline Status graph_exec_destroy(GraphExec exec) { return hipGraphExecDestroy(exec); }

// These have overloads for C++.
inline Status malloc(void** at, std::size_t bytes) { return hipMalloc(at, bytes); }
inline Status host_alloc(void** at, std::size_t bytes, unsigned flags) {
  return hipHostMalloc(at, bytes, flags);
}
inline Status event_create(Event* event) { return hipEventCreate(event); }

inline Status module_load_data(Module* module, const void* image) { return hipModuleLoadData(module, image); }
inline Status module_unload(Module module) { return hipModuleUnload(module); }
inline Status module_get_function(Function* function, Module module, const char* name) {
  return hipModuleGetFunction(function, module, name);
}
inline Status launch(Function function, unsigned blocks, unsigned threads, Stream stream, void** arguments) {
  return hipModuleLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr);
}
inline Status allow_shared(Function function, unsigned bytes) { return hip::allow_shared(function, bytes); }
inline Status launch(Function function, const unsigned (&grid)[3], const unsigned (&block)[3],
                     unsigned shared, Stream stream, void** arguments) {
  return hipModuleLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                               stream, arguments, nullptr);
}
inline Status stream_wait_equal(Stream stream, void* at, std::uint32_t value) {
  return hipStreamWaitValue32(stream, at, value, hipStreamWaitValueEq, 0xFFFFFFFF);
}

inline void request_descriptor(AllocationProperties& properties) { hip::request_descriptor(properties); }
inline Status create(Allocation* allocation, std::size_t bytes, const AllocationProperties& properties) {
  return hipMemCreate(allocation, bytes, &properties, 0);
}
inline Status release(Allocation allocation) { return hipMemRelease(allocation); }
inline Status export_descriptor(int* descriptor, Allocation allocation) {
  return hipMemExportToShareableHandle(descriptor, allocation, hipMemHandleTypePosixFileDescriptor, 0);
}
inline Status import_descriptor(Allocation* allocation, int descriptor) {
  return hip::import_descriptor(allocation, descriptor);
}
inline Status reserve(std::byte** at, std::size_t bytes) {
  hip::Address reserved{};
  const auto status = hipMemAddressReserve(&reserved, bytes, 0, hip::Address{}, 0);
  *at = reinterpret_cast<std::byte*>(reserved);
  return status;
}
inline Status give_back(std::byte* at, std::size_t bytes) {
  return hipMemAddressFree(hip::address(at), bytes);
}
inline Status map(std::byte* at, std::size_t bytes, Allocation allocation) {
  return hipMemMap(hip::address(at), bytes, 0, allocation, 0);
}
inline Status unmap(std::byte* at, std::size_t bytes) { return hipMemUnmap(hip::address(at), bytes); }
inline Status allow(std::byte* at, std::size_t bytes, int device) {
  hipMemAccessDesc access{};
  access.location.type = device_location;
  access.location.id = device;
  access.flags = hipMemAccessFlagsProtReadWrite;
  return hipMemSetAccess(hip::address(at), bytes, &access, 1);
}

}  // namespace podium::gpu::api
