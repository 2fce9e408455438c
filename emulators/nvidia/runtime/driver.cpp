// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's entry points, by name: programs that do not link libcuda ask for them here.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <map>
#include <string_view>

namespace {

template <class F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

const std::map<std::string_view, void*>& entry_points() {
  static const std::map<std::string_view, void*> all = {
      {"cuInit", address(&cuInit)},
      {"cuGetErrorName", address(&cuGetErrorName)},
      {"cuGetErrorString", address(&cuGetErrorString)},
      {"cuModuleLoadData", address(&cuModuleLoadData)},
      {"cuModuleUnload", address(&cuModuleUnload)},
      {"cuModuleGetFunction", address(&cuModuleGetFunction)},
      {"cuModuleGetGlobal", address(&cuModuleGetGlobal)},
      {"cuFuncSetAttribute", address(&cuFuncSetAttribute)},
      {"cuFuncGetAttribute", address(&cuFuncGetAttribute)},
      {"cuOccupancyMaxActiveBlocksPerMultiprocessor", address(&cuOccupancyMaxActiveBlocksPerMultiprocessor)},
      {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
       address(&cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)},
      {"cuOccupancyMaxActiveClusters", address(&cuOccupancyMaxActiveClusters)},
      {"cuOccupancyMaxPotentialClusterSize", address(&cuOccupancyMaxPotentialClusterSize)},
      {"cuOccupancyAvailableDynamicSMemPerBlock", address(&cuOccupancyAvailableDynamicSMemPerBlock)},
      {"cuLaunchKernel", address(&cuLaunchKernel)},
      {"cuLaunchKernelEx", address(&cuLaunchKernelEx)},
      {"cuCtxGetCurrent", address(&cuCtxGetCurrent)},
      {"cuCtxGetDevice", address(&cuCtxGetDevice)},
      {"cuCtxGetId", address(&cuCtxGetId)},
      {"cuMemAlloc", address(&cuMemAlloc)},
      {"cuMemFree", address(&cuMemFree)},
      {"cuMemcpyHtoD", address(&cuMemcpyHtoD)},
      {"cuMemcpyDtoH", address(&cuMemcpyDtoH)},
      {"cuStreamIsCapturing", address(&cuStreamIsCapturing)},
      {"cuStreamWaitValue32", address(&cuStreamWaitValue32)},
      {"cuStreamWriteValue32", address(&cuStreamWriteValue32)},
      {"cuMemCreate", address(&cuMemCreate)},
      {"cuMemRelease", address(&cuMemRelease)},
      {"cuMemExportToShareableHandle", address(&cuMemExportToShareableHandle)},
      {"cuMemImportFromShareableHandle", address(&cuMemImportFromShareableHandle)},
      {"cuMemAddressReserve", address(&cuMemAddressReserve)},
      {"cuMemAddressFree", address(&cuMemAddressFree)},
      {"cuMemMap", address(&cuMemMap)},
      {"cuMemUnmap", address(&cuMemUnmap)},
      {"cuMemSetAccess", address(&cuMemSetAccess)},
      {"cuMemGetAllocationGranularity", address(&cuMemGetAllocationGranularity)},
      {"cuTensorMapEncodeTiled", address(&cuTensorMapEncodeTiled)},
      {"cuTensorMapEncodeIm2col", address(&cuTensorMapEncodeIm2col)},
      {"cuTensorMapReplaceAddress", address(&cuTensorMapReplaceAddress)}};
  return all;
}

}  // namespace

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }

cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** entry, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult* result) {
  const auto found = entry_points().find(name);
  *entry = found == entry_points().end() ? nullptr : found->second;
  if (result) *result = *entry ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPoint(const char* name, void** entry, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return cudaGetDriverEntryPointByVersion(name, entry, CUDART_VERSION, flags, result);
}

}  // extern "C"
