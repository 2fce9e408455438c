// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the kernel says of the machine's memory.
#pragma once
#include <cstdint>

namespace podium::contest {

// Processes that the kernel has ended since the machine started, for want of memory; 0 where it does not
// count them.
std::int64_t kernel_memory_kills();

}  // namespace podium::contest
