// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bulk asynchronous operations of a thread that are completed by groups (PTX ISA 9.7.9.25.4.3).
#pragma once
#include <functional>

#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// Of these bytes of shared memory. It happens when the group that it will be in is waited for; at once in
// eager mode.
void in_a_group(Thread*, int line, u32 from, u32 bytes, std::function<void()> copy);

}  // namespace podium::ptx
