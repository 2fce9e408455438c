// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the kernel tells of AMD GPUs in /sys/class/kfd/kfd/topology: architecture, place, caches. It needs no
// library and no permission on a device. Names are those of the kernel's
// drivers/gpu/drm/amd/amdkfd/kfd_topology.c.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace podium::telemetry {

struct KfdGpu {
  std::string architecture;                                     // "gfx942"
  std::uint32_t domain = 0, bus = 0, device = 0, function = 0;  // on the PCI bus
  int wave = 0;                                                 // lanes
  std::int64_t local_share = 0;                                 // bytes of a compute unit's LDS
  int dies = 0;                                                 // XCCs of this node; 0: not told
  std::int64_t far_cache = 0;  // bytes of the caches of level 3, which AMD calls Infinity Cache; 0: not told
};

// All nodes that compute, in the kernel's order; each partition of a GPU is one. Empty where there is nothing
// to read. `sys`: another root, for tests.
std::vector<KfdGpu> kfd_gpus(const std::filesystem::path& sys = "/sys");

}  // namespace podium::telemetry
