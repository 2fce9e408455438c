// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stands in for libnvidia-ml.so.1: two devices. OLD: a library that names its reasons as before CUDA 12.2,
// and has neither a counter of energy nor any of work. It holds that a process starts it as often as it ends
// it.
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "backends/telemetry/nvml.hpp"

using namespace podium::telemetry::nvml;

namespace {

int started = 0;

constexpr Return not_initialised = 1, invalid = 2, not_supported = 3, not_found = 6;

bool behaves(std::string_view how) {
  const char* stated = std::getenv("STAND_IN");
  return stated && stated == how;
}

Device device(std::size_t number) { return reinterpret_cast<Device>(number); }

// The number of a device, 1 or 2, if the library was started and answers at all.
Return number_of(Device at, std::size_t& number) {
  if (started != 1) return not_initialised;
  number = reinterpret_cast<std::size_t>(at);
  if (number != 1 && number != 2) return invalid;
  return behaves("unsupported") ? not_supported : success;
}

template <class T>
Return tell(Device at, T* value, T first, T second) {
  std::size_t number = 0;
  const Return status = number_of(at, number);
  if (status == success) *value = number == 1 ? first : second;
  return status;
}

}  // namespace

// A sample holds how often one was taken before it.
namespace podium::telemetry::nvml {
struct GpmOpaque {
  int taken = 0;
};
}  // namespace podium::telemetry::nvml

namespace {
int samples = 0;  // of the counters, that have not been freed
}  // namespace

extern "C" {
Return nvmlInit_v2() {
  if (behaves("refuse")) return 999;
  ++started;
  return success;
}
Return nvmlShutdown() {
  if (started == 0) std::abort();
  if (samples != 0) std::abort();
  --started;
  return success;
}
Return nvmlDeviceGetHandleByPciBusId_v2(const char* pci, Device* found) {
  if (started != 1) return not_initialised;
  const std::size_t number = !std::strcmp(pci, "0000:19:00.0")   ? 1
                             : !std::strcmp(pci, "0000:C1:00.0") ? 2
                                                                 : 0;
  if (number == 0) return not_found;
  *found = device(number);
  return success;
}
Return nvmlDeviceGetClockInfo(Device at, int type, unsigned* megahertz) {
  if (type != clock_sm && type != clock_memory) return invalid;
  return type == clock_sm ? tell(at, megahertz, 1980u, 345u) : tell(at, megahertz, 3201u, 1593u);
}
Return nvmlDeviceGetTemperature(Device at, int sensor, unsigned* degrees) {
  return sensor == temperature_gpu ? tell(at, degrees, 41u, 83u) : invalid;
}
Return nvmlDeviceGetPowerUsage(Device at, unsigned* milliwatts) {
  return tell(at, milliwatts, 123456u, 699000u);
}
#if defined(OLD)
Return nvmlDeviceGetCurrentClocksThrottleReasons(Device at, unsigned long long* reasons) {
#else
const char* nvmlErrorString(Return status) { return status == not_found ? "Not Found" : "Unknown Error"; }
Return nvmlDeviceGetTotalEnergyConsumption(Device at, unsigned long long* millijoules) {
  return tell(at, millijoules, 5'000'000'000'123ull, 7'000ull);
}
Return nvmlGpmQueryDeviceSupport(Device at, GpmSupport* support) {
  std::size_t number = 0;
  const Return status = number_of(at, number);
  if (support->version != 1) return invalid;
  if (status == success) support->supported = number == 1;
  return status;
}
Return nvmlGpmSampleAlloc(GpmSample* sample) {
  *sample = new GpmOpaque;
  ++samples;
  return success;
}
Return nvmlGpmSampleFree(GpmSample sample) {
  delete sample;
  --samples;
  return success;
}
Return nvmlGpmSampleGet(Device at, GpmSample sample) {
  std::size_t number = 0;
  const Return status = number_of(at, number);
  if (status == success && behaves("stops counting")) return not_supported;
  static int taken = 0;
  if (status == success) sample->taken = ++taken;
  return status;
}
Return nvmlGpmMetricsGet(GpmMetricsGet* get) {
  if (get->version != 1 || get->from->taken == 0 || get->to->taken != get->from->taken + 1) return invalid;
  for (unsigned k = 0; k < get->count; ++k) {
    GpmMetric& metric = get->metrics[k];
    const bool tensor = metric.id == gpm_any_tensor_util;
    metric.status = tensor ? not_supported : success;
    metric.value = tensor                                 ? 77
                   : metric.id == gpm_sm_util             ? 12.5
                   : metric.id == gpm_sm_occupancy        ? 6.25
                   : metric.id == gpm_dram_bandwidth_util ? 41
                                                          : -1;
  }
  return success;
}
Return nvmlDeviceGetCurrentClocksEventReasons(Device at, unsigned long long* reasons) {
#endif
  return tell(at, reasons, 0x1ull, 0x4ull | 0x40ull | 0x8ull);
}
}
