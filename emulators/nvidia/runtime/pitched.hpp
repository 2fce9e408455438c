// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies of boxes: rows of rows.
#pragma once
#include <cuda_runtime_api.h>

#include <string>

namespace podium::ptx {

// That it is one between memory and memory: arrays are those of textures, which are not emulated.
cudaError_t check_box(const cudaMemcpy3DParms& box, const std::string& call);
void copy_box(const cudaMemcpy3DParms& box);

}  // namespace podium::ptx
