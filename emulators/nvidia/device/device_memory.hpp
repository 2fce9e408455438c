// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All memory that kernels may reach through global addresses.
#pragma once
#include <atomic>

#include "emulators/common/allocations.hpp"

namespace podium::ptx {

emulation::Allocations& device_memory();

// Whether another device may write what threads look at: it is a process of its own, which shares memory with
// this one.
std::atomic<bool>& others_may_write();

}  // namespace podium::ptx
