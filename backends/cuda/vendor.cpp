// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA: choosing and describing a device, and its caches.
#include "backends/gpu/vendor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "backends/cuda/access.hpp"
#include "backends/gpu/api.hpp"
#include "backends/telemetry/library.hpp"
#include "backends/telemetry/nvml.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

std::string version(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

}  // namespace

void choose_device(int ordinal) {
  int count = 0;
  const auto counted = cudaGetDeviceCount(&count);
  if (counted != cudaSuccess)
    throw Error(fmt::format("no NVIDIA GPU can be used ({}): {}", describe(counted),
                            why_no_nvidia_device(counted == cudaErrorInsufficientDriver)),
                Fault::device);
  if (ordinal < 0 || ordinal >= count)
    throw Error(fmt::format("cuda:{} does not exist: this machine has {} device{}, from cuda:0", ordinal,
                            count, count == 1 ? "" : "s"),
                Fault::device);
  if (const auto status = cudaSetDevice(ordinal); status != cudaSuccess)
    throw Error(fmt::format("cuda:{} cannot be opened: {}", ordinal, describe(status)), Fault::device);
}

std::string advice(api::Status) { return {}; }  // NVIDIA's texts say it

device::Description describe_device(int ordinal) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, ordinal));
  std::array<char, 32> pci{};
  check(cudaDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), ordinal));
  int driver_version = 0, runtime_version = 0;
  check(cudaDriverGetVersion(&driver_version));
  check(cudaRuntimeGetVersion(&runtime_version));
  std::string module = "unknown";  // of the kernel module: what people call the driver's version
  std::ifstream("/sys/module/nvidia/version") >> module;
  return {.backend = "cuda",
          .product = properties.name,
          .architecture = fmt::format("sm_{}{}", properties.major, properties.minor),
          .driver = fmt::format("driver {}, CUDA {}, runtime {}", module, version(driver_version),
                                version(runtime_version)),
          .pci = pci.data(),
          .memory = static_cast<std::int64_t>(properties.totalGlobalMem),
          .last_level_cache = properties.l2CacheSize,
          .multiprocessors = properties.multiProcessorCount,
          .warp = properties.warpSize,
          .local_share = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor)};
}

std::size_t flush_bytes(const device::Description& description) {
  constexpr std::int64_t least = 64 << 20;
  return static_cast<std::size_t>(std::max(2 * description.last_level_cache, least));
}

void reset_persisting_cache() { check(cudaCtxResetPersistingL2Cache()); }

double timer_ticks_per_microsecond(int) { return 1000; }  // %globaltimer counts nanoseconds (PTX ISA)

std::unique_ptr<device::Sensors> open_sensors(const device::Description& description) try {
  return telemetry::open_nvml(description.pci);
} catch (const telemetry::Unavailable& e) {
  return std::make_unique<device::NoSensors>(e.what());
}

}  // namespace podium::gpu
