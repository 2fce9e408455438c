// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the stand-in for AMD SMI is built on where AMD's bindings are not installed: Podium's own declarations
// under AMD's names.
#pragma once
#include "backends/telemetry/amd_smi.hpp"

using amdsmi_gpu_metrics_t = podium::telemetry::amd_smi::Metrics;
union amdsmi_bdf_t {
  podium::telemetry::amd_smi::Bdf as_uint;
};
inline constexpr std::uint64_t AMDSMI_INIT_AMD_GPUS = podium::telemetry::amd_smi::init_gpus;
inline constexpr std::uint64_t AMDSMI_STATUS_SUCCESS = 0, AMDSMI_STATUS_INVAL = 1,
                               AMDSMI_STATUS_NOT_SUPPORTED = 2, AMDSMI_STATUS_NOT_FOUND = 31,
                               AMDSMI_STATUS_NOT_INIT = 32;
