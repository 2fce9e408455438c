// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The driver's entry points that the runtime does not offer, fetched through it: libcuda is not linked.
#pragma once
#include <cuda.h>

namespace podium::gpu {

struct Driver {
  decltype(&cuModuleLoadData) module_load_data;
  decltype(&cuModuleUnload) module_unload;
  decltype(&cuModuleGetFunction) module_get_function;
  decltype(&cuFuncSetAttribute) function_set_attribute;
  decltype(&cuLaunchKernel) launch_kernel;
  decltype(&cuStreamWaitValue32) stream_wait_value;
  decltype(&cuMemCreate) mem_create;
  decltype(&cuMemRelease) mem_release;
  decltype(&cuMemExportToShareableHandle) mem_export;
  decltype(&cuMemImportFromShareableHandle) mem_import;
  decltype(&cuMemAddressReserve) mem_reserve;
  decltype(&cuMemAddressFree) mem_give_back;
  decltype(&cuMemMap) mem_map;
  decltype(&cuMemUnmap) mem_unmap;
  decltype(&cuMemSetAccess) mem_allow;
};

// Throws podium::Error(Fault::device) naming what the driver lacks. A device has been chosen before.
const Driver& driver();

// More than 48 KiB of dynamic shared memory has to be asked for.
inline CUresult allow_shared(CUfunction function, unsigned bytes) {
  constexpr unsigned always = 48 << 10;
  if (bytes <= always) return CUDA_SUCCESS;
  return driver().function_set_attribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                         static_cast<int>(bytes));
}

}  // namespace podium::gpu
