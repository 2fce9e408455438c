// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What HIP does not tell of an AMD GPU: its Infinity Cache, and into what it has been partitioned.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace podium::gpu {

// Bytes of the cache behind the L2 of the GPU at `pci` ("0000:c1:00.0"): as the kernel tells, else as AMD
// publishes for the product; 0: it has none, or nobody told. All of it, also for a partition, since
// partitions share it.
std::int64_t infinity_cache(const std::string& pci, const std::string& product,
                            const std::filesystem::path& sys = "/sys");

// The partition that a device is, "CPX NPS4": compute mode, then memory mode. Empty for a whole GPU (SPX
// NPS1) and for one that cannot be partitioned. From sysfs; where that does not show the device, as in some
// containers, what `ask` answers, the management library's word.
std::string partition(const std::string& pci, const std::function<std::string()>& ask,
                      const std::filesystem::path& sys = "/sys");

}  // namespace podium::gpu
