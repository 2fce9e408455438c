// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's functions for devices and for contexts, of which there is one each.
#include <cuda.h>
#include <cudaProfiler.h>
#include <cuda_runtime_api.h>

#include <cstring>

#include "emulators/nvidia/runtime/contexts.hpp"
#include "emulators/nvidia/runtime/memory.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {

CUcontext the_context() { return reinterpret_cast<CUcontext>(&Device::get()); }

}  // namespace podium::ptx

using namespace podium::ptx;

namespace {

CUresult no_device() { return as_result(noted(cudaErrorInvalidDevice)); }
// It stays current: programs put it away to come back to it.
CUresult make_current(CUcontext context) {
  if (context && context != the_context()) return as_result(noted(cudaErrorDeviceUninitialized));
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuDriverGetVersion(int* version) { return as_result(cudaDriverGetVersion(version)); }
CUresult cuDeviceGetCount(int* count) { return as_result(cudaGetDeviceCount(count)); }
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  if (ordinal != 0) return no_device();
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice device) {
  cudaDeviceProp all;
  if (const cudaError_t status = cudaGetDeviceProperties(&all, device); status != cudaSuccess)
    return as_result(status);
  if (bytes < 1) return as_result(noted(cudaErrorInvalidValue));
  std::strncpy(name, all.name, static_cast<size_t>(bytes));
  name[bytes - 1] = '\0';
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice device) {
  static_assert(int{CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE} ==
                int{cudaDevAttrMaxPersistingL2CacheSize});
  return as_result(cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(which), device));
}
CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  if (device != 0) return no_device();
  *bytes = device_bytes;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  if (device != 0) return no_device();
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return device == 0 ? CUDA_SUCCESS : no_device(); }

CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = the_context();
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) { return make_current(context); }
CUresult cuCtxPushCurrent(CUcontext context) { return make_current(context); }
CUresult cuCtxPopCurrent(CUcontext* context) {
  if (context) *context = the_context();
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
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return as_result(cudaDeviceGetStreamPriorityRange(least, greatest));
}
CUresult cuCtxSynchronize() { return as_result(cudaDeviceSynchronize()); }

CUresult cuProfilerStart() { return CUDA_SUCCESS; }
CUresult cuProfilerStop() { return CUDA_SUCCESS; }

}  // extern "C"
