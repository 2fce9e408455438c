// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels as nodes of graphs.
#pragma once
#include <cuda_runtime_api.h>

#include "emulators/nvidia/runtime/queue.hpp"

namespace podium::ptx {

// The launch that a node stands for, checked like any other, with a copy of its arguments; or the error,
// noted.
cudaError_t kernel_work(const cudaKernelNodeParams& node, Work& work);

}  // namespace podium::ptx
