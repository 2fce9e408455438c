// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The library that AMD SMI follows, for machines that have no other. Declared as its interface is since
// ROCm 5 (rocm_smi.h); tests/telemetry compares that with the header where it is installed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "suite/device/telemetry.hpp"

namespace podium::telemetry {

namespace rocm_smi {
using Status = int;  // rsmi_status_t
inline constexpr Status success = 0;
inline constexpr int clock_system = 0, clock_memory = 4;  // rsmi_clk_type_t
inline constexpr int temperature_current = 0;             // rsmi_temperature_metric_t
inline constexpr std::uint32_t temperature_junction = 1;  // rsmi_temperature_type_t

// rsmi_version_t
struct Version {
  std::uint32_t major, minor, patch;
  const char* build;
};

// rsmi_frequencies_t: number and index of frequencies in Hz. Version 6 has put a flag in front.
inline constexpr std::uint32_t flagged_since = 6;
struct Frequencies {
  std::uint32_t supported, current;
  std::uint64_t frequency[32];
};
struct FlaggedFrequencies {
  bool deep_sleep;
  std::uint32_t supported, current;
  std::uint64_t frequency[33];
};
// Holds either, and what a later version may append.
union AnyFrequencies {
  Frequencies plain;
  FlaggedFrequencies flagged;
  std::byte room[4096];
};

using Init = Status(std::uint64_t);                                    // rsmi_init
using ShutDown = Status();                                             // rsmi_shut_down
using GetVersion = Status(Version*);                                   // rsmi_version_get
using Count = Status(std::uint32_t*);                                  // rsmi_num_monitor_devices
using PciId = Status(std::uint32_t, std::uint64_t*);                   // rsmi_dev_pci_id_get
using ClockFrequencies = Status(std::uint32_t, int, AnyFrequencies*);  // rsmi_dev_gpu_clk_freq_get
using Temperature = Status(std::uint32_t, std::uint32_t, int,
                           std::int64_t* millidegrees);                // rsmi_dev_temp_metric_get
using SocketPower = Status(std::uint32_t, std::uint64_t* microwatts);  // rsmi_dev_current_socket_power_get
using AveragePower = Status(std::uint32_t, std::uint32_t sensor,
                            std::uint64_t* microwatts);  // rsmi_dev_power_ave_get
using Partition = Status(std::uint32_t, char* name,
                         std::uint32_t bytes);  // rsmi_dev_{compute,memory}_partition_get
using EnergyCount = Status(std::uint32_t, std::uint64_t* count, float* microjoules_a_count,
                           std::uint64_t* nanoseconds);  // rsmi_dev_energy_count_get
}  // namespace rocm_smi

// Of the device at `pci`, "0000:c1:00.0". PODIUM_ROCM_SMI, in the environment, names another library than
// librocm_smi64.so, which is also looked for in /opt/rocm. Reasons for throttling are not known. Throws
// Unavailable.
std::unique_ptr<device::Sensors> open_rocm_smi(const std::string& pci);

}  // namespace podium::telemetry
