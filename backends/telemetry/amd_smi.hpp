// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD's management library, loaded where it is. Only what is used is declared, as facts of its interface
// (amdsmi 6.1 to 7.0); tests/telemetry compares them with the bindings that AMD publishes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "suite/device/telemetry.hpp"

namespace podium::telemetry {

namespace amd_smi {
using Status = int;  // amdsmi_status_t
using Processor = void*;
inline constexpr Status success = 0;
inline constexpr std::uint64_t init_gpus = 2;  // AMDSMI_INIT_AMD_GPUS

// amdsmi_bdf_t: from the lowest bit on function (3 bits), device (5), bus (8), domain (48).
using Bdf = std::uint64_t;
constexpr Bdf address(Bdf domain, Bdf bus, Bdf device, Bdf function) {
  return function | device << 3 | bus << 8 | domain << 16;
}

// The head of amdsmi_gpu_metrics_t, which has stayed as it is while more was appended. A field that a device
// does not fill has all bits set.
struct Metrics {
  std::uint32_t header;
  std::uint16_t temperature_edge, temperature_hotspot;  // degrees Celsius
  std::uint16_t others[7];
  std::uint16_t average_socket_power;  // watts
  std::uint64_t energy_accumulator, system_clock_counter;
  std::uint16_t average_clocks[7];
  std::uint16_t current_gfxclk, current_socclk, current_uclk;  // MHz
  std::uint16_t other_clocks[4];
  std::uint32_t throttle_status;
  std::uint16_t fan_and_link[4];
  std::uint32_t activity[2];
  std::uint16_t temperature_hbm[4];
  std::uint64_t firmware_timestamp;
  std::uint16_t voltages[4];
  std::uint64_t indep_throttle_status;  // one meaning on all devices; amdgpu's kernel header amdgpu_smu.h
  std::uint16_t current_socket_power;   // watts
  std::uint16_t between[95];
  std::uint16_t current_gfxclks[8];  // MHz
  std::byte later[16384];            // versions append: 7.0 fills 4544 bytes in all
};

static_assert(offsetof(Metrics, average_socket_power) == 22 && offsetof(Metrics, current_uclk) == 58 &&
              offsetof(Metrics, indep_throttle_status) == 112 && offsetof(Metrics, current_gfxclks) == 312);

// Groups of bits of indep_throttle_status.
inline constexpr std::uint64_t power_bits = 0x00ff, current_bits = 0x00ff0000,
                               temperature_bits = 0x00ffffff00000000;

using Init = Status(std::uint64_t);                // amdsmi_init
using ShutDown = Status();                         // amdsmi_shut_down
using ProcessorFromBdf = Status(Bdf, Processor*);  // amdsmi_get_processor_handle_from_bdf
using MetricsInfo = Status(Processor, Metrics*);   // amdsmi_get_gpu_metrics_info
using Partition = Status(Processor, char* name,
                         std::uint32_t bytes);  // amdsmi_get_gpu_{compute,memory}_partition
using EnergyCount = Status(Processor, std::uint64_t* count, float* microjoules_a_count,
                           std::uint64_t* nanoseconds);  // amdsmi_get_energy_count
}  // namespace amd_smi

// Of the device at `pci`, "0000:c1:00.0". PODIUM_AMD_SMI, in the environment, names another library than
// libamd_smi.so, which is also looked for in /opt/rocm. Throws Unavailable.
std::unique_ptr<device::Sensors> open_amd_smi(const std::string& pci);

}  // namespace podium::telemetry
