// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What cudaGraph_t and cudaGraphExec_t point to.
#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {

using Captured = std::shared_ptr<CapturedWork>;
template <class Handle>
Captured& captured(Handle handle) {
  return *reinterpret_cast<Captured*>(handle);
}

// cudaErrorInvalidValue with a sentence where it is null: whoever made it failed, and was not asked.
inline cudaError_t needs(const void* handle, const char* call) {
  return handle
             ? cudaSuccess
             : refused(cudaErrorInvalidValue,
                       std::string(call) + ": a graph that is null; see what made it, or its capture, said");
}

}  // namespace podium::ptx
