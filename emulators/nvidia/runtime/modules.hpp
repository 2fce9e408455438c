// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Translated modules and their kernels, as the runtime's and the driver's handles lead to them.
#pragma once
#include <cstdint>
#include <string>

#include "emulators/nvidia/device/module.hpp"

namespace podium::ptx {

// A kernel that a program registered: found in its module's translation when it is first used.
struct Function {
  std::string name;
  std::uint64_t module = 0;                  // hash of its PTX; 0: the fatbin has none
  std::string unreadable;                    // why its fatbin cannot be read: a sentence; "": it can
  const Kernel* kernel = nullptr;            // once found
  std::uint32_t allowed_dynamic = 48 << 10;  // bytes of dynamic shared memory that it may be launched with
  bool larger_clusters = false;              // than all devices with clusters have
};

// The kernel of `function`; nullptr after noting an error whose sentence says what is missing.
const Kernel* kernel_of(Function& function);
// By the host function that stands for a kernel, or by its cudaKernel_t; nullptr: none was registered.
Function* function_of(const void* host);

}  // namespace podium::ptx
