// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the kernel tells of the processor in /sys: frequencies, temperature, energy.
#pragma once
#include <filesystem>
#include <memory>

#include "suite/device/telemetry.hpp"

namespace podium::telemetry {

// Of all processors that this machine has: the mean of their current frequencies (cpufreq), the hottest of
// the processors' sensors (hwmon coretemp, k10temp or zenpower; else thermal zones of the package), the
// energy of all packages (powercap, RAPL; most machines let only root read it), and whether the kernel counts
// heat throttling that went on since the last look (thermal_throttle). Its power is that energy between two
// looks. `sys`: another root, for tests.
std::unique_ptr<device::Sensors> open_processor(const std::filesystem::path& sys = "/sys");

}  // namespace podium::telemetry
