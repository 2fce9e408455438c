// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/nvml.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

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

// Two samples of the device's counters, and what lies between them.
class Counting {
 public:
  // `device`: of a library that has been started, and is until this has ended.
  Counting(const Library& library, Device device) : device_(device) {
    GpmQuery* query = nullptr;
    GpmSampleAlloc* allocate = nullptr;
    library.find(query, "nvmlGpmQueryDeviceSupport");
    library.find(allocate, "nvmlGpmSampleAlloc");
    library.find(free_, "nvmlGpmSampleFree");
    library.find(sample_, "nvmlGpmSampleGet");
    library.find(read_, "nvmlGpmMetricsGet");
    GpmSupport support;
    if (!query || !allocate || !free_ || !sample_ || !read_ || query(device, &support) != success ||
        support.supported == 0)
      return;
    if (allocate(&from_) != success || allocate(&to_) != success) release();
  }
  ~Counting() { release(); }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  bool begin() {
    begun_ = to_ && sample_(device_, from_) == success;
    start_ = std::chrono::steady_clock::now();
    return begun_;
  }
  device::Counters end() {
    const std::chrono::duration<double> length = std::chrono::steady_clock::now() - start_;
    if (!begun_ || length.count() < gpm_least || sample_(device_, to_) != success) return {};
    GpmMetricsGet get;
    get.from = from_;
    get.to = to_;
    device::Counters result{.seconds = length.count()};
    const std::pair<unsigned, double*> wanted[] = {{gpm_sm_util, &result.sm_active},
                                                   {gpm_sm_occupancy, &result.sm_occupancy},
                                                   {gpm_any_tensor_util, &result.tensor_active},
                                                   {gpm_dram_bandwidth_util, &result.memory_bandwidth}};
    for (const auto& [id, value] : wanted) get.metrics[get.count++].id = id;
    if (read_(&get) != success) return {};
    for (unsigned k = 0; k < get.count; ++k)
      if (get.metrics[k].status == success && std::isfinite(get.metrics[k].value))
        *wanted[k].second = get.metrics[k].value;
    return result;
  }

 private:
  void release() {
    for (GpmSample* sample : {&from_, &to_})
      if (*sample) free_(std::exchange(*sample, nullptr));
  }

  Device device_;
  GpmSampleFree* free_ = nullptr;
  GpmSampleGet* sample_ = nullptr;
  GpmMetricsRead* read_ = nullptr;
  GpmSample from_ = nullptr, to_ = nullptr;  // both or none
  bool begun_ = false;
  std::chrono::steady_clock::time_point start_{};
};

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
    counting_.emplace(library_, device_);
  }
  ~Nvml() override {
    counting_.reset();
    shutdown_();
  }

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
  bool begin_counting() override { return counting_->begin(); }
  device::Counters counted() override { return counting_->end(); }
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
  std::optional<Counting> counting_;
};

}  // namespace

std::unique_ptr<device::Sensors> open_nvml(const std::string& pci) { return std::make_unique<Nvml>(pci); }

}  // namespace podium::telemetry
