// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// HIP's NVIDIA platform: choosing and describing a device. It serves to run the HIP backend where there is no
// AMD GPU; people who have an NVIDIA GPU use the CUDA backend.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backends/cuda/access.hpp"
#include "backends/gpu/api.hpp"
#include "backends/gpu/vendor.hpp"
#include "backends/telemetry/library.hpp"
#include "backends/telemetry/nvml.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {

void choose_device(int ordinal) {
  int count = 0;
  const auto counted = hipGetDeviceCount(&count);
  if (counted != hipSuccess)
    throw Error(fmt::format("no NVIDIA GPU can be used ({}): {}", describe(counted),
                            why_no_nvidia_device(counted == hipErrorInsufficientDriver)),
                Fault::device);
  if (ordinal < 0 || ordinal >= count)
    throw Error(fmt::format("hip:{} does not exist: this machine has {} device{}, from hip:0", ordinal, count,
                            count == 1 ? "" : "s"),
                Fault::device);
  if (const auto status = hipSetDevice(ordinal); status != hipSuccess)
    throw Error(fmt::format("hip:{} cannot be opened: {}", ordinal, describe(status)), Fault::device);
}

std::string advice(api::Status) { return {}; }

device::Description describe_device(int ordinal) {
  hip::Properties properties{};
  check(hip::properties(&properties, ordinal));
  std::array<char, 32> pci{};
  check(hipDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), ordinal));
  int runtime = 0;  // CUDA's number
  check(hipRuntimeGetVersion(&runtime));
  return {.backend = "hip",
          .product = properties.name,
          .architecture = hip::architecture(properties),
          .driver = fmt::format("HIP {} on CUDA {}.{}", hip::version_text(HIP_VERSION), runtime / 1000,
                                runtime % 1000 / 10),
          .pci = pci.data(),
          .memory = static_cast<std::int64_t>(properties.totalGlobalMem),
          .last_level_cache = properties.l2CacheSize,
          .multiprocessors = properties.multiProcessorCount,
          .warp = properties.warpSize,
          .local_share = static_cast<std::int64_t>(properties.maxSharedMemoryPerMultiProcessor)};
}

std::size_t flush_bytes(const device::Description& description) {
  constexpr std::int64_t least = 64 << 20;  // as on the CUDA backend, with which it is compared
  return static_cast<std::size_t>(std::max(2 * description.last_level_cache, least));
}

void reset_persisting_cache() { check(hip::reset_persisting_cache()); }

double timer_ticks_per_microsecond(int) { return 1000; }  // %globaltimer counts nanoseconds (PTX ISA)

std::unique_ptr<device::Sensors> open_sensors(const device::Description& description) try {
  return telemetry::open_nvml(description.pci);
} catch (const telemetry::Unavailable& e) {
  return std::make_unique<device::NoSensors>(e.what());
}

}  // namespace podium::gpu
