// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/driver.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

template <class F>
void fetch(F& entry, const char* name) {
  constexpr unsigned version = 12000;  // of the signatures above; every driver for CUDA 12.8 has them
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  const auto status = cudaGetDriverEntryPointByVersion(name, &address, version, cudaEnableDefault, &found);
  if (status != cudaSuccess || found != cudaDriverEntryPointSuccess)
    throw Error(fmt::format("the NVIDIA driver has no {}; a driver for CUDA 12.8 or newer is needed", name),
                Fault::device);
  entry = reinterpret_cast<F>(address);
}

Driver fetch_all() {
  Driver d{};
  fetch(d.module_load_data, "cuModuleLoadData");
  fetch(d.module_unload, "cuModuleUnload");
  fetch(d.module_get_function, "cuModuleGetFunction");
  fetch(d.function_set_attribute, "cuFuncSetAttribute");
  fetch(d.launch_kernel, "cuLaunchKernel");
  fetch(d.stream_wait_value, "cuStreamWaitValue32");
  fetch(d.mem_create, "cuMemCreate");
  fetch(d.mem_release, "cuMemRelease");
  fetch(d.mem_export, "cuMemExportToShareableHandle");
  fetch(d.mem_import, "cuMemImportFromShareableHandle");
  fetch(d.mem_reserve, "cuMemAddressReserve");
  fetch(d.mem_give_back, "cuMemAddressFree");
  fetch(d.mem_map, "cuMemMap");
  fetch(d.mem_unmap, "cuMemUnmap");
  fetch(d.mem_allow, "cuMemSetAccess");
  return d;
}

}  // namespace

const Driver& driver() {
  static const Driver all = fetch_all();
  return all;
}

}  // namespace podium::gpu
