// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, loaded where it is. Only what is used is declared, as facts of its interface
// (nvml.h of CUDA 12.9); tests/telemetry compares them with that header where it is installed.
#pragma once
#include <memory>
#include <string>

#include "suite/device/telemetry.hpp"

namespace podium::telemetry {

namespace nvml {
using Return = int;  // nvmlReturn_t
using Device = struct Opaque*;
inline constexpr Return success = 0;
inline constexpr int clock_sm = 1, clock_memory = 2;  // nvmlClockType_t
inline constexpr int temperature_gpu = 0;             // nvmlTemperatureSensors_t

// nvmlClocksEventReason..., before CUDA 12.2 nvmlClocksThrottleReason...
inline constexpr unsigned long long reason_setting = 0x2, reason_power_cap = 0x4, reason_slowdown = 0x8,
                                    reason_thermal = 0x20, reason_hardware_thermal = 0x40,
                                    reason_power_brake = 0x80;

// GPM: counters of the device that need nobody's help in the processes that work on it. Hopper and later.
struct GpmOpaque;
using GpmSample = GpmOpaque*;  // nvmlGpmSample_t
struct GpmSupport {            // nvmlGpmSupport_t
  unsigned version = 1, supported = 0;
};
struct GpmMetric {  // nvmlGpmMetric_t
  unsigned id = 0;
  Return status = 0;
  double value = 0;
  struct {
    char *short_name = nullptr, *long_name = nullptr, *unit = nullptr;
  } info;
};
inline constexpr unsigned gpm_sm_util = 2, gpm_sm_occupancy = 3, gpm_any_tensor_util = 5,
                          gpm_dram_bandwidth_util = 10;  // nvmlGpmMetricId_t; percent
struct GpmMetricsGet {  // nvmlGpmMetricsGet_t, whose length differs from release to release: `count` are read
  unsigned version = 1, count = 0;
  GpmSample from = nullptr, to = nullptr;
  GpmMetric metrics[333];  // of CUDA 13, the longest
};

using Init = Return();                                     // nvmlInit_v2
using Shutdown = Return();                                 // nvmlShutdown
using ErrorString = const char*(Return);                   // nvmlErrorString
using HandleByPci = Return(const char*, Device*);          // nvmlDeviceGetHandleByPciBusId_v2
using ClockInfo = Return(Device, int, unsigned*);          // nvmlDeviceGetClockInfo; MHz
using Temperature = Return(Device, int, unsigned*);        // nvmlDeviceGetTemperature; degrees Celsius
using PowerUsage = Return(Device, unsigned*);              // nvmlDeviceGetPowerUsage; milliwatts
using TotalEnergy = Return(Device, unsigned long long*);   // nvmlDeviceGetTotalEnergyConsumption; millijoules
using EventReasons = Return(Device, unsigned long long*);  // nvmlDeviceGetCurrentClocksEventReasons

using GpmQuery = Return(Device, GpmSupport*);    // nvmlGpmQueryDeviceSupport
using GpmSampleAlloc = Return(GpmSample*);       // nvmlGpmSampleAlloc
using GpmSampleFree = Return(GpmSample);         // nvmlGpmSampleFree
using GpmSampleGet = Return(Device, GpmSample);  // nvmlGpmSampleGet
using GpmMetricsRead = Return(GpmMetricsGet*);   // nvmlGpmMetricsGet
// Between two samples, in seconds. A device makes them anew each 0.1 s (nvml.h), so that either may be as
// old: what lies between two is of the asked stretch by four fifths at least.
inline constexpr double gpm_least = 0.5;
}  // namespace nvml

// Of the device at `pci`, "0000:c1:00.0". PODIUM_NVML, in the environment, names another library than
// libnvidia-ml.so.1. Throws Unavailable.
std::unique_ptr<device::Sensors> open_nvml(const std::string& pci);

}  // namespace podium::telemetry
