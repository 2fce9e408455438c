// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A kernel's arguments, in either of the two ways in which a launch may pass them.
#pragma once
#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "emulators/nvidia/device/module.hpp"

namespace podium::ptx {

struct Arguments {
  void** pointers = nullptr;  // kernelParams: to one argument each
  void** extra = nullptr;     // keys and values: one buffer, laid out as the kernel's parameters are
};

// A copy of them, as the kernel finds them; or the error, noted.
cudaError_t copy(const Kernel& kernel, const Arguments& arguments, std::shared_ptr<std::vector<u8>>& bytes);

}  // namespace podium::ptx
