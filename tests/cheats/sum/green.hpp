// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A stream of a green context, which has eight of the device's multiprocessors. A helper: no contestant.
#pragma once
#include "driver_entry.hpp"

namespace {
inline cudaStream_t green() {  // of this process
  static cudaStream_t const stream = [] {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    CUdevResource all{}, part{}, rest{};
    podium::check(DRIVER(cuDeviceGetDevResource)(device, &all, CU_DEV_RESOURCE_TYPE_SM));
    unsigned groups = 1;
    podium::check(DRIVER(cuDevSmResourceSplitByCount)(&part, &groups, &all, &rest, 0, 8));
    CUdevResourceDesc described{};
    podium::check(DRIVER(cuDevResourceGenerateDesc)(&described, &part, 1));
    CUgreenCtx context{};
    podium::check(DRIVER(cuGreenCtxCreate)(&context, described, device, CU_GREEN_CTX_DEFAULT_STREAM));
    CUstream made{};
    podium::check(DRIVER(cuGreenCtxStreamCreate)(&made, context, CU_STREAM_NON_BLOCKING, 0));
    return made;
  }();
  return stream;
}
}  // namespace
