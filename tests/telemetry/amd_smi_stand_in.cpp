// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for libamd_smi.so: an accelerator as MI300 tells of itself and one as MI200 does. OLD: without
// the counter of energy.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "backends/telemetry/amd_smi.hpp"

using namespace podium::telemetry::amd_smi;

namespace {

constexpr Status invalid = 1, not_supported = 2, not_initialised = 32, not_found = 31;
int started = 0;
int devices[2];

bool behaves(std::string_view how) {
  const char* stated = std::getenv("STAND_IN");
  return stated && stated == how;
}

Bdf address(Bdf domain, Bdf bus, Bdf device, Bdf function) {
  return function | device << 3 | bus << 8 | domain << 16;
}

Status status_of(Processor at) {
  if (started != 1) return not_initialised;
  if (at != &devices[0] && at != &devices[1]) return invalid;
  return behaves("unsupported") ? not_supported : success;
}

}  // namespace

extern "C" {
Status amdsmi_init(std::uint64_t flags) {
  if (flags != init_gpus || behaves("refuse")) return invalid;
  ++started;
  return success;
}
Status amdsmi_shut_down() {
  if (started == 0) std::abort();
  --started;
  return success;
}
Status amdsmi_get_processor_handle_from_bdf(Bdf bdf, Processor* found) {
  if (started != 1) return not_initialised;
  if (bdf != address(0, 0xc1, 0, 0) && bdf != address(2, 0x1f, 3, 1)) return not_found;
  *found = bdf == address(0, 0xc1, 0, 0) ? &devices[0] : &devices[1];
  return success;
}
Status amdsmi_get_gpu_metrics_info(Processor at, Metrics* metrics) {
  const Status status = status_of(at);
  if (status != success) return status;
  constexpr std::size_t filled_by_version_7 = 4544;
  std::memset(metrics, 0xff, filled_by_version_7);
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
Status amdsmi_get_gpu_compute_partition(Processor at, char* name, std::uint32_t bytes) {
  std::strncpy(name, at == &devices[0] ? "CPX" : "SPX", bytes);
  return status_of(at);
}
Status amdsmi_get_gpu_memory_partition(Processor at, char* name, std::uint32_t bytes) {
  std::strncpy(name, at == &devices[0] ? "NPS4" : "NPS1", bytes);
  return status_of(at);
}
Status amdsmi_get_energy_count(Processor at, std::uint64_t* count, float* microjoules, std::uint64_t* time) {
  *microjoules = 15.259f;
  *time = 1;
  *count = at == &devices[0] ? 1'000'000'000'000 : 2'000'000;
  return status_of(at);
}
#endif
}
