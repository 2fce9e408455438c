// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD: choosing and describing a device, and its caches.
#include "backends/gpu/vendor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "backends/gpu/api.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

// Why the runtime sees no device.
std::string reason() {
  if (access("/dev/kfd", F_OK) != 0) return "there is no /dev/kfd; is the amdgpu driver loaded?";
  if (access("/dev/kfd", R_OK | W_OK) != 0)
    return "this user may not open /dev/kfd; add it to the groups render and video, then log in again";
  return "see rocminfo";
}

}  // namespace

void choose_device(int ordinal) {
  int count = 0;
  const auto counted = hipGetDeviceCount(&count);
  if (counted != hipSuccess)
    throw Error(fmt::format("no AMD GPU can be used ({}): {}", describe(counted), reason()), Exit::no_device);
  if (ordinal < 0 || ordinal >= count)
    throw Error(fmt::format("hip:{} does not exist: this machine has {} device{}, from hip:0", ordinal, count,
                            count == 1 ? "" : "s"),
                Exit::no_device);
  if (const auto status = hipSetDevice(ordinal); status != hipSuccess)
    throw Error(fmt::format("hip:{} cannot be opened: {}", ordinal, describe(status)), Exit::no_device);
  int virtual_memory = 0;
  check(hipDeviceGetAttribute(&virtual_memory, hipDeviceAttributeVirtualMemoryManagementSupported, ordinal));
  if (!virtual_memory)
    throw Error(
        fmt::format(
            "hip:{} has no virtual memory management, by which judge and worker share memory; ROCm 6.2 or "
            "newer on a supported GPU is needed",
            ordinal),
        Exit::no_device);
}

device::Description describe_device(int ordinal) {
  hipDeviceProp_t properties{};
  check(hipGetDeviceProperties(&properties, ordinal));
  std::array<char, 32> pci{};
  check(hipDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), ordinal));
  int runtime = 0;  // major * 10^7 + minor * 10^5 + patch
  check(hipRuntimeGetVersion(&runtime));
  std::string module = "of the kernel";  // amdgpu states a version only if it did not come with the kernel
  std::ifstream("/sys/module/amdgpu/version") >> module;
  const std::string target = properties.gcnArchName;  // gfx942:sramecc+:xnack-
  return {.backend = "hip",
          .product = properties.name,
          .architecture = target.substr(0, target.find(':')),
          .driver = fmt::format("amdgpu {}, HIP {}.{}.{}", module, runtime / 10000000, runtime / 100000 % 100,
                                runtime % 100000),
          .pci = pci.data(),
          .memory = static_cast<std::int64_t>(properties.totalGlobalMem),
          .last_level_cache = properties.l2CacheSize,
          .multiprocessors = properties.multiProcessorCount,
          .warp = properties.warpSize};
}

// HIP knows nothing of the Infinity Cache behind the L2, 256 MiB on MI300.
std::size_t flush_bytes(const device::Description& description) {
  constexpr std::int64_t least = 512 << 20;
  return static_cast<std::size_t>(std::max(2 * description.last_level_cache, least));
}

void reset_persisting_cache() {}  // AMD's caches have no such thing

// It would take a code object for each architecture; every ROCm that Podium supports lets a stream wait.
const char* spinning_gate() { return nullptr; }

}  // namespace podium::gpu
