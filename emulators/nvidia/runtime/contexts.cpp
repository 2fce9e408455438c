// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's functions for memory and for contexts, of which there is one: that of the device.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

using namespace podium::ptx;

namespace {

CUcontext the_context() { return reinterpret_cast<CUcontext>(&Device::get()); }
CUresult as_result(cudaError_t status) { return static_cast<CUresult>(status); }
void* pointer(CUdeviceptr at) { return reinterpret_cast<void*>(at); }

}  // namespace

extern "C" {

CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
  if (context && context != the_context()) return as_result(noted(cudaErrorDeviceUninitialized));
  *id = 1;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr* at, size_t bytes) {
  if (bytes == 0) return as_result(noted(cudaErrorInvalidValue));
  return as_result(cudaMalloc(reinterpret_cast<void**>(at), bytes));
}
CUresult cuMemFree(CUdeviceptr at) { return as_result(cudaFree(pointer(at))); }
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
  return as_result(cudaMemcpy(pointer(to), from, bytes, cudaMemcpyHostToDevice));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
  return as_result(cudaMemcpy(to, pointer(from), bytes, cudaMemcpyDeviceToHost));
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  auto found = cudaStreamCaptureStatusNone;
  const cudaError_t done = cudaStreamIsCapturing(stream, &found);
  *status = static_cast<CUstreamCaptureStatus>(found);
  return as_result(done);
}

}  // extern "C"
