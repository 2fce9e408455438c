// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's functions for memory: the runtime's by another name.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "emulators/nvidia/runtime/contexts.hpp"
#include "emulators/nvidia/runtime/status.hpp"
#include "emulators/nvidia/runtime/transfers.hpp"

using namespace podium::ptx;

namespace {

template <class Element>
CUresult set_elements(CUdeviceptr at, Element value, size_t count, CUstream stream, bool wait) {
  return as_result(
      set(elements_at(pointer(at), 0, sizeof value, count, 1), value, sizeof value, stream, wait));
}

bool are_the_context(CUcontext a, CUcontext b) { return a == the_context() && b == the_context(); }
CUresult no_context() {
  return as_result(refused(cudaErrorDeviceUninitialized,
                           "invalid device context: emulated devices have one, that of device 0"));
}

template <class Pointer>
CUresult allocate(CUdeviceptr* at, size_t bytes, const Pointer& by) {
  if (bytes == 0) return as_result(noted(cudaErrorInvalidValue));
  return as_result(by(reinterpret_cast<void**>(at)));
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) { return as_result(cudaMemGetInfo(free, total)); }
CUresult cuMemAlloc(CUdeviceptr* at, size_t bytes) {
  return allocate(at, bytes, [=](void** to) { return cudaMalloc(to, bytes); });
}
CUresult cuMemAllocAsync(CUdeviceptr* at, size_t bytes, CUstream stream) {
  return allocate(at, bytes, [=](void** to) { return cudaMallocAsync(to, bytes, stream); });
}
CUresult cuMemAllocManaged(CUdeviceptr* at, size_t bytes, unsigned flags) {
  return allocate(at, bytes, [=](void** to) { return cudaMallocManaged(to, bytes, flags); });
}
CUresult cuMemAllocHost(void** at, size_t bytes) { return as_result(cudaMallocHost(at, bytes)); }
CUresult cuMemHostAlloc(void** at, size_t bytes, unsigned flags) {
  return as_result(cudaHostAlloc(at, bytes, flags));
}
CUresult cuMemFree(CUdeviceptr at) { return as_result(cudaFree(pointer(at))); }
CUresult cuMemFreeAsync(CUdeviceptr at, CUstream stream) {
  return as_result(cudaFreeAsync(pointer(at), stream));
}
CUresult cuMemFreeHost(void* at) { return as_result(cudaFreeHost(at)); }
CUresult cuMemHostRegister(void* at, size_t bytes, unsigned flags) {
  return as_result(cudaHostRegister(at, bytes, flags));
}
CUresult cuMemHostUnregister(void* at) { return as_result(cudaHostUnregister(at)); }
CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
  return as_result(cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags));
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
  return as_result(cudaMemcpy(pointer(to), pointer(from), bytes, cudaMemcpyDefault));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return as_result(cudaMemcpyAsync(pointer(to), pointer(from), bytes, cudaMemcpyDefault, stream));
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return as_result(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  return as_result(cudaMemcpyAsync(pointer(to), from, bytes, cudaMemcpyHostToDevice, stream));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return as_result(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return as_result(cudaMemcpyAsync(to, pointer(from), bytes, cudaMemcpyDeviceToHost, stream));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) { return cuMemcpy(to, from, bytes); }
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  return cuMemcpyAsync(to, from, bytes, stream);
}
CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes) {
  return are_the_context(there, here) ? cuMemcpy(to, from, bytes) : no_context();
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext there, CUdeviceptr from, CUcontext here, size_t bytes,
                           CUstream stream) {
  return are_the_context(there, here) ? cuMemcpyAsync(to, from, bytes, stream) : no_context();
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, size_t count) {
  return set_elements(at, value, count, nullptr, true);
}
CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, size_t count) {
  return set_elements(at, value, count, nullptr, true);
}
CUresult cuMemsetD32(CUdeviceptr at, unsigned value, size_t count) {
  return set_elements(at, value, count, nullptr, true);
}
CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t count, CUstream stream) {
  return set_elements(at, value, count, stream, false);
}
CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t count, CUstream stream) {
  return set_elements(at, value, count, stream, false);
}
CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, size_t count, CUstream stream) {
  return set_elements(at, value, count, stream, false);
}

}  // extern "C"
