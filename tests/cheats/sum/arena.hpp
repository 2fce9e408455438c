// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The memory that a GPU's judge shares with this process, as the driver knows it, and a second address for
// it. A helper: no contestant.
#pragma once
#include "driver_entry.hpp"

namespace {
struct Arena {
  CUdeviceptr begin = 0;
  std::size_t bytes = 0;
  CUmemGenericAllocationHandle memory{};

  explicit Arena(const void* inside) {
    void* const at = const_cast<void*>(inside);
    podium::check(DRIVER(cuMemGetAddressRange)(&begin, &bytes, reinterpret_cast<CUdeviceptr>(at)));
    podium::check(DRIVER(cuMemRetainAllocationHandle)(&memory, at));
  }
};

// New addresses for `memory`, never given back.
inline CUdeviceptr map_again(CUmemGenericAllocationHandle memory, std::size_t bytes, CUdeviceptr at = 0) {
  if (at == 0) podium::check(DRIVER(cuMemAddressReserve)(&at, bytes, 0, 0, 0));
  podium::check(DRIVER(cuMemMap)(at, bytes, 0, memory, 0));
  int device = 0;
  podium::check(cudaGetDevice(&device));
  CUmemAccessDesc access{};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.location.id = device;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  podium::check(DRIVER(cuMemSetAccess)(at, bytes, &access, 1));
  return at;
}
}  // namespace
