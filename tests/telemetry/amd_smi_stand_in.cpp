// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for libamd_smi.so: an accelerator as MI300 tells of itself and one as MI200 does. It is built on
// AMD's declarations where these are, so that what Podium calls meets AMD's types, not its own. OLD: without
// the counter of energy.
#include <cstdlib>
#include <cstring>
#include <string_view>

#if defined(AMDSMI_HEADER)
#include <amdsmi.hpp>
#else
#include "tests/telemetry/amd_smi_own.hpp"
#endif

namespace {

using Status = std::uint32_t;
constexpr auto success = Status{AMDSMI_STATUS_SUCCESS};
int started = 0;
int devices[2];

bool behaves(std::string_view how) {
  const char* stated = std::getenv("STAND_IN");
  return stated && stated == how;
}

// 0000:c1:00.0 and 0002:1f:03.1, as the kernel writes them: domain, bus, device, function.
constexpr std::uint64_t addresses[] = {0xc1u << 8, 2u << 16 | 0x1fu << 8 | 3u << 3 | 1u};

Status status_of(void* at) {
  if (started != 1) return AMDSMI_STATUS_NOT_INIT;
  if (at != &devices[0] && at != &devices[1]) return AMDSMI_STATUS_INVAL;
  return behaves("unsupported") ? Status{AMDSMI_STATUS_NOT_SUPPORTED} : success;
}

}  // namespace

extern "C" {
Status amdsmi_init(std::uint64_t flags) {
  if (flags != AMDSMI_INIT_AMD_GPUS || behaves("refuse")) return AMDSMI_STATUS_INVAL;
  ++started;
  return success;
}
Status amdsmi_shut_down() {
  if (started == 0) std::abort();
  --started;
  return success;
}
Status amdsmi_get_processor_handle_from_bdf(amdsmi_bdf_t bdf, void** found) {
  if (started != 1) return AMDSMI_STATUS_NOT_INIT;
  for (const int i : {0, 1})
    if (bdf.as_uint == addresses[i]) {
      *found = &devices[i];
      return success;
    }
  return AMDSMI_STATUS_NOT_FOUND;
}
Status amdsmi_get_gpu_metrics_info(void* at, amdsmi_gpu_metrics_t* metrics) {
  const Status status = status_of(at);
  if (status != success) return status;
  std::memset(static_cast<void*>(metrics), 0xff, sizeof *metrics);
  if (at == &devices[0]) {
    metrics->temperature_hotspot = 55;
    metrics->current_socket_power = 743;
    metrics->current_uclk = 1300;
    for (auto& clock : metrics->current_gfxclks) clock = 2100;
  } else {
    metrics->temperature_edge = 30;
    metrics->temperature_hotspot = 37;
    metrics->average_socket_power = 89;
    metrics->current_gfxclk = 800;
    metrics->current_uclk = 1600;
    metrics->indep_throttle_status = 1ull << 0 | 1ull << 16 | 1ull << 36;  // PPT0, TDC_GFX, TEMP_HOTSPOT
  }
  return success;
}
#if !defined(OLD)
Status amdsmi_get_gpu_compute_partition(void* at, char* name, std::uint32_t bytes) {
  std::strncpy(name, at == &devices[0] ? "CPX" : "SPX", bytes);
  return status_of(at);
}
Status amdsmi_get_gpu_memory_partition(void* at, char* name, std::uint32_t bytes) {
  std::strncpy(name, at == &devices[0] ? "NPS4" : "NPS1", bytes);
  return status_of(at);
}
Status amdsmi_get_energy_count(void* at, std::uint64_t* count, float* microjoules, std::uint64_t* time) {
  *microjoules = 15.259f;
  *time = 1;
  *count = at == &devices[0] ? 1'000'000'000'000 : 2'000'000;
  return status_of(at);
}
#endif
}
