// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What cudaGraph_t and cudaGraphExec_t point to.
#pragma once
#include <cuda_runtime_api.h>

#include <memory>

#include "emulators/nvidia/runtime/queue.hpp"

namespace podium::ptx {

using Captured = std::shared_ptr<CapturedWork>;
template <class Handle>
Captured& captured(Handle handle) {
  return *reinterpret_cast<Captured*>(handle);
}

}  // namespace podium::ptx
