// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which device is emulated: $PODIUM_EMULATED, as podium sets it for judge and worker.
#pragma once
#include <string>

#include "emulators/nvidia/device/multiprocessors.hpp"

namespace podium::ptx {

// What the CUDA C++ Programming Guide's table of compute capabilities says of one.
struct Architecture {
  std::string name;  // "sm_90a"
  int major, minor;
  int shared_per_multiprocessor, shared_per_block;  // bytes; the latter as asked for
  int threads_per_multiprocessor, blocks_per_multiprocessor;
};

// That of $PODIUM_EMULATED; sm_90a without.
const Architecture& architecture();

inline constexpr int cache_bytes = 4 << 20;
inline constexpr int persisting_cache_bytes = cache_bytes / 4 * 3;  // an A100 has 30 of 40 MB set aside
inline constexpr int window_bytes = 128 << 20;  // of an access policy: what an A100 says, rounded up

}  // namespace podium::ptx
