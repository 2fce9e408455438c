// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD: choosing and describing a device, and its caches.
#include "backends/gpu/vendor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

#include "backends/gpu/api.hpp"
#include "backends/hip/access.hpp"
#include "backends/hip/identity.hpp"
#include "backends/hip/versions.hpp"
#include "backends/telemetry/amd_smi.hpp"
#include "backends/telemetry/library.hpp"
#include "backends/telemetry/rocm_smi.hpp"
#include "suite/base/error.hpp"

namespace podium::gpu {
namespace {

// Refuses a runtime that lacks what Podium calls.
void expect_recent_runtime() {
  int runtime = 0;
  if (hipRuntimeGetVersion(&runtime) == hipSuccess && runtime < hip::oldest)
    throw Error(
        fmt::format("no AMD GPU can be used (HIP {}): ROCm 6.2 or newer is needed; install one and build "
                    "again",
                    hip::version_text(runtime)),
        Fault::device);
}

}  // namespace

void choose_device(int ordinal) {
  expect_recent_runtime();
  int count = 0;
  const auto counted = hipGetDeviceCount(&count);
  const bool driver = counted == hipErrorInsufficientDriver;  // described well enough
  if (counted != hipSuccess || count == 0)
    throw Error(fmt::format("no AMD GPU can be used ({}){}{}",
                            describe(counted == hipSuccess ? hipErrorNoDevice : counted), driver ? "" : ": ",
                            driver ? "" : why_no_device(this_machine())),
                Fault::device);
  if (ordinal < 0 || ordinal >= count)
    throw Error(fmt::format("hip:{} does not exist: this machine has {} device{}, from hip:0", ordinal, count,
                            count == 1 ? "" : "s"),
                Fault::device);
  if (const auto status = hipSetDevice(ordinal); status != hipSuccess)
    throw Error(fmt::format("hip:{} cannot be opened: {}", ordinal, describe(status)), Fault::device);
  int virtual_memory = 0;
  check(hipDeviceGetAttribute(&virtual_memory, hipDeviceAttributeVirtualMemoryManagementSupported, ordinal));
  if (!virtual_memory)
    throw Error(
        fmt::format(
            "hip:{} has no virtual memory management, by which judge and worker share memory; ROCm 6.2 or "
            "newer on a supported GPU is needed",
            ordinal),
        Fault::device);
}

device::Description describe_device(int ordinal) {
  hip::Properties properties{};
  check(hip::properties(&properties, ordinal));
  std::array<char, 32> pci{};
  check(hipDeviceGetPCIBusId(pci.data(), static_cast<int>(pci.size()), ordinal));
  int runtime = 0;
  check(hipRuntimeGetVersion(&runtime));
  std::string module = "of the kernel";  // amdgpu states a version only if it did not come with the kernel
  std::ifstream("/sys/module/amdgpu/version") >> module;
  return {
      .backend = "hip",
      .product = properties.name,
      .architecture = hip::architecture(properties),
      .driver = fmt::format("amdgpu {}, HIP {}", module, hip::version_text(runtime)),
      .pci = pci.data(),
      .memory = static_cast<std::int64_t>(properties.totalGlobalMem),
      .last_level_cache =
          std::max<std::int64_t>(properties.l2CacheSize, infinity_cache(pci.data(), properties.name)),
      .multiprocessors = properties.multiProcessorCount,
      .warp = properties.warpSize,
      .partition = partition(
          pci.data(),
          [&] {
            return open_sensors(
                       {.backend = {}, .product = {}, .architecture = {}, .driver = {}, .pci = pci.data()})
                ->partition();
          }),
      .local_share = static_cast<std::int64_t>(properties.sharedMemPerMultiprocessor)};
}

// At least twice the largest Infinity Cache, 256 MiB, also where nobody tells of it.
std::size_t flush_bytes(const device::Description& description) {
  constexpr std::int64_t least = 512 << 20;
  return static_cast<std::size_t>(std::max(2 * description.last_level_cache, least));
}

void reset_persisting_cache() {}  // AMD's caches have no such thing

double timer_ticks_per_microsecond(int ordinal) {
  int kilohertz = 0;
  check(hip::timer_rate(&kilohertz, ordinal));
  return kilohertz * 1e-3;
}

std::unique_ptr<device::Sensors> open_sensors(const device::Description& description) {
  std::string why;
  for (const auto open : {telemetry::open_amd_smi, telemetry::open_rocm_smi}) try {
      return open(description.pci);
    } catch (const telemetry::Unavailable& e) {
      why += fmt::format("{}{}", why.empty() ? "" : "; ", e.what());
    }
  return std::make_unique<device::NoSensors>(why);
}

}  // namespace podium::gpu
