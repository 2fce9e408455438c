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

// Throws podium::Error(Exit::no_device) naming what the driver lacks. A device has been chosen before.
const Driver& driver();

}  // namespace podium::gpu
