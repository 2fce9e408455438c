// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Answers that a test puts into the mouth of HIP's runtime.
#pragma once
#include <hip/hip_runtime_api.h>

#include "backends/hip/versions.hpp"

namespace podium::gpu {

struct Runtime {
  int version = hip::oldest, devices = 1;
  hipError_t count = hipSuccess, set = hipSuccess, load = hipSuccess;
  bool virtual_memory = true;
  const char* target = "gfx942:sramecc+:xnack-";
  int imported = -1;  // the descriptor that came last, and how
  bool by_value = false;
};
inline Runtime runtime;

}  // namespace podium::gpu
