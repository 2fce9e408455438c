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

using Init = Return();                                     // nvmlInit_v2
using Shutdown = Return();                                 // nvmlShutdown
using ErrorString = const char*(Return);                   // nvmlErrorString
using HandleByPci = Return(const char*, Device*);          // nvmlDeviceGetHandleByPciBusId_v2
using ClockInfo = Return(Device, int, unsigned*);          // nvmlDeviceGetClockInfo; MHz
using Temperature = Return(Device, int, unsigned*);        // nvmlDeviceGetTemperature; degrees Celsius
using PowerUsage = Return(Device, unsigned*);              // nvmlDeviceGetPowerUsage; milliwatts
using TotalEnergy = Return(Device, unsigned long long*);   // nvmlDeviceGetTotalEnergyConsumption; millijoules
using EventReasons = Return(Device, unsigned long long*);  // nvmlDeviceGetCurrentClocksEventReasons
}  // namespace nvml

// Of the device at `pci`, "0000:c1:00.0". PODIUM_NVML, in the environment, names another library than
// libnvidia-ml.so.1. Throws Unavailable.
std::unique_ptr<device::Sensors> open_nvml(const std::string& pci);

}  // namespace podium::telemetry
