// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/nvml.hpp"

#include <fmt/format.h>

#include "backends/telemetry/library.hpp"
#include "suite/base/throttle_reason.hpp"

namespace podium::telemetry {
namespace {

using namespace nvml;

std::uint32_t reasons(unsigned long long bits) {
  std::uint32_t result = 0;
  if (bits & reason_power_cap) result |= throttle::power;
  if (bits & (reason_thermal | reason_hardware_thermal)) result |= throttle::temperature;
  if (bits & reason_power_brake) result |= throttle::brake;
  if (bits & reason_slowdown) result |= throttle::slowdown;
  if (bits & reason_setting) result |= throttle::user_setting;
  return result;
}

class Nvml : public device::Sensors {
 public:
  explicit Nvml(const std::string& pci) : library_("PODIUM_NVML", {"libnvidia-ml.so.1"}) {
    Init* init = nullptr;
    ErrorString* error = nullptr;
    HandleByPci* handle = nullptr;
    library_.need(init, "nvmlInit_v2");
    library_.need(shutdown_, "nvmlShutdown");
    library_.need(handle, "nvmlDeviceGetHandleByPciBusId_v2");
    library_.find(error, "nvmlErrorString");
    library_.find(clock_, "nvmlDeviceGetClockInfo");
    library_.find(temperature_, "nvmlDeviceGetTemperature");
    library_.find(power_, "nvmlDeviceGetPowerUsage");
    library_.find(energy_, "nvmlDeviceGetTotalEnergyConsumption");
    library_.find(reasons_, "nvmlDeviceGetCurrentClocksEventReasons");
    if (!reasons_) library_.find(reasons_, "nvmlDeviceGetCurrentClocksThrottleReasons");

    const auto expect = [&](Return status, const std::string& what) {
      if (status == success) return;
      throw Unavailable(fmt::format("{} {}: {}", library_.name(), what,
                                    error ? error(status) : fmt::format("error {}", status)));
    };
    expect(init(), "did not start");
    const Return found = handle(pci.c_str(), &device_);
    if (found != success) shutdown_();
    expect(found, fmt::format("does not know the device at {}", pci));
  }
  ~Nvml() override { shutdown_(); }

  device::Telemetry read() override {
    device::Telemetry result;
    unsigned number = 0;
    unsigned long long wide = 0;
    if (clock_ && clock_(device_, clock_sm, &number) == success) result.sm_clock = number;
    if (clock_ && clock_(device_, clock_memory, &number) == success) result.memory_clock = number;
    if (temperature_ && temperature_(device_, temperature_gpu, &number) == success)
      result.temperature = number;
    if (power_ && power_(device_, &number) == success) result.power = number * 1e-3;
    if (reasons_ && reasons_(device_, &wide) == success) result.throttle = reasons(wide);
    return result;
  }
  double energy() override {
    unsigned long long millijoules = 0;
    return energy_ && energy_(device_, &millijoules) == success ? static_cast<double>(millijoules) * 1e-3
                                                                : device::unknown;
  }
  std::string source() const override { return "NVML"; }

 private:
  Library library_;
  Device device_ = nullptr;
  Shutdown* shutdown_ = nullptr;
  ClockInfo* clock_ = nullptr;
  Temperature* temperature_ = nullptr;
  PowerUsage* power_ = nullptr;
  TotalEnergy* energy_ = nullptr;
  EventReasons* reasons_ = nullptr;
};

}  // namespace

std::unique_ptr<device::Sensors> open_nvml(const std::string& pci) { return std::make_unique<Nvml>(pci); }

}  // namespace podium::telemetry
