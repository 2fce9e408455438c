// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for librocm_smi64.so: two devices, the second in partition 3. OLD: as in ROCm 5.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "backends/telemetry/rocm_smi.hpp"

using namespace podium::telemetry::rocm_smi;

namespace {

constexpr Status invalid = 1, not_supported = 2;
int started = 0;

bool behaves(std::string_view how) {
  const char* stated = std::getenv("STAND_IN");
  return stated && stated == how;
}

Status status_of(std::uint32_t device) {
  if (started != 1 || device > 1) return invalid;
  return behaves("unsupported") ? not_supported : success;
}

template <class Frequencies>
void fill(Frequencies& all, std::uint32_t device, int type) {
  all.supported = 3;
  all.current = device == 0 ? 1 : 2;
  const std::uint64_t unit = type == clock_memory ? 1'000'000'000 : 500'000'000;
  for (std::uint32_t i = 0; i < 3; ++i) all.frequency[i] = (i + 1) * unit;
}

}  // namespace

extern "C" {
Status rsmi_init(std::uint64_t) {
  if (behaves("refuse")) return 8;
  ++started;
  return success;
}
Status rsmi_shut_down() {
  if (started == 0) std::abort();
  --started;
  return success;
}
Status rsmi_num_monitor_devices(std::uint32_t* count) {
  *count = 2;
  return success;
}
Status rsmi_dev_pci_id_get(std::uint32_t device, std::uint64_t* id) {
  *id = device == 0 ? 0xc1ull << 8 : 2ull << 32 | 3ull << 28 | 0x1full << 8 | 3 << 3 | 1;
  return device < 2 ? success : invalid;
}
Status rsmi_dev_gpu_clk_freq_get(std::uint32_t device, int type, AnyFrequencies* all) {
#if defined(OLD)
  fill(all->plain, device, type);
#else
  all->flagged.deep_sleep = true;
  fill(all->flagged, device, type);
#endif
  return status_of(device);
}
Status rsmi_dev_temp_metric_get(std::uint32_t device, std::uint32_t sensor, int metric, std::int64_t* value) {
  if (sensor != temperature_junction || metric != temperature_current) return invalid;
  *value = device == 0 ? 45500 : -2000;
  return status_of(device);
}
Status rsmi_dev_power_ave_get(std::uint32_t device, std::uint32_t sensor, std::uint64_t* microwatts) {
  *microwatts = 99'500'000;
  return sensor == 0 ? status_of(device) : invalid;
}
Status rsmi_version_get(Version* version) {
#if defined(OLD)
  *version = {5, 2, 3, "5.2.3"};
#else
  *version = {7, 3, 0, "7.3.0"};
#endif
  return success;
}
#if !defined(OLD)
Status rsmi_dev_compute_partition_get(std::uint32_t device, char* name, std::uint32_t bytes) {
  std::strncpy(name, device == 0 ? "SPX" : "DPX", bytes);
  return status_of(device);
}
Status rsmi_dev_memory_partition_get(std::uint32_t device, char* name, std::uint32_t bytes) {
  std::strncpy(name, device == 0 ? "NPS1" : "NPS2", bytes);
  return status_of(device);
}
Status rsmi_dev_current_socket_power_get(std::uint32_t device, std::uint64_t* microwatts) {
  if (device == 1) return not_supported;  // it has the average alone
  *microwatts = 321'000'000;
  return status_of(device);
}
#endif
Status rsmi_dev_energy_count_get(std::uint32_t device, std::uint64_t* count, float* microjoules,
                                 std::uint64_t* time) {
  *microjoules = 15.3f;
  *time = 1;
  *count = 10'000'000;
  return status_of(device);
}
}
