// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's driver under the names that HIP's headers for NVIDIA call: handed on to the entry points that the
// CUDA backend fetches, so that libcuda is not linked and programs start where there is none.
#include "backends/cuda/driver.hpp"

using podium::gpu::driver;

extern "C" {
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver().module_load_data(module, image);
}
CUresult cuModuleUnload(CUmodule module) { return driver().module_unload(module); }
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver().module_get_function(function, module, name);
}
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** arguments, void** extra) {
  return driver().launch_kernel(function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream,
                                arguments, extra);
}
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr at, cuuint32_t value, unsigned flags) {
  return driver().stream_wait_value(stream, at, value, flags);
}
CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, std::size_t bytes,
                     const CUmemAllocationProp* properties, unsigned long long flags) {
  return driver().mem_create(handle, bytes, properties, flags);
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { return driver().mem_release(handle); }
CUresult cuMemExportToShareableHandle(void* to, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags) {
  return driver().mem_export(to, handle, type, flags);
}
CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle, void* from,
                                        CUmemAllocationHandleType type) {
  return driver().mem_import(handle, from, type);
}
CUresult cuMemAddressReserve(CUdeviceptr* at, std::size_t bytes, std::size_t alignment, CUdeviceptr wish,
                             unsigned long long flags) {
  return driver().mem_reserve(at, bytes, alignment, wish, flags);
}
CUresult cuMemAddressFree(CUdeviceptr at, std::size_t bytes) { return driver().mem_give_back(at, bytes); }
CUresult cuMemMap(CUdeviceptr at, std::size_t bytes, std::size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return driver().mem_map(at, bytes, offset, handle, flags);
}
CUresult cuMemUnmap(CUdeviceptr at, std::size_t bytes) { return driver().mem_unmap(at, bytes); }
CUresult cuMemSetAccess(CUdeviceptr at, std::size_t bytes, const CUmemAccessDesc* access, std::size_t count) {
  return driver().mem_allow(at, bytes, access, count);
}
}
