// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All memory that kernels may reach through global addresses.
#pragma once
#include "emulators/common/allocations.hpp"

namespace podium::ptx {

emulation::Allocations& device_memory();

}  // namespace podium::ptx
