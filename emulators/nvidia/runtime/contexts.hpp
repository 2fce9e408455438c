// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the driver's functions have in common that are the runtime's by another name.
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>

namespace podium::ptx {

CUcontext the_context();

// Both have the same numbers.
inline CUresult as_result(cudaError_t status) { return static_cast<CUresult>(status); }
inline void* pointer(CUdeviceptr at) { return reinterpret_cast<void*>(at); }

}  // namespace podium::ptx
