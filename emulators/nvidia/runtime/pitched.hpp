// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies of boxes: rows of rows.
#pragma once
#include <cuda_runtime_api.h>

#include <string>

#include "emulators/nvidia/runtime/transfers.hpp"

namespace podium::ptx {

// What it copies. cudaErrorNotSupported where that is an array, as textures have, which are not emulated;
// cudaErrorInvalidValue where a box is none. `call`: whose sentence it is.
cudaError_t boxes_of(const cudaMemcpy3DParms& box, const std::string& call, Box& to, Box& from);

}  // namespace podium::ptx
