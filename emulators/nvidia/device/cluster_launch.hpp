// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// clusterlaunchcontrol, as generated kernels call it: PTX ISA 9.7.13.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// A running cluster asks for the work of one that has not begun. The answer's 16 bytes are ours: a word that
// tells whether there was one, and the number of its first block.
void launch_cancel(Thread*, int line, u32 to, u32 mbarrier, bool to_all_blocks);
inline bool is_canceled(u128 answer) { return (answer & 1) != 0; }
inline u32 canceled_block(u128 answer, u32 axis) { return static_cast<u32>(answer >> (32 * (axis + 1))); }

}  // namespace podium::ptx
