// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/amd_smi.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "backends/telemetry/amd_partition.hpp"
#include "backends/telemetry/library.hpp"
#include "suite/base/throttle_reason.hpp"

namespace podium::telemetry {
namespace {

using namespace amd_smi;

template <class T>
bool filled(T value) {
  return value != std::numeric_limits<T>::max();
}

double number(std::uint16_t value) { return filled(value) ? value : device::unknown; }

// Devices fill the one or the other.
double number(std::uint16_t first, std::uint16_t second) {
  return filled(first) && first != 0 ? first : number(second);
}

std::uint32_t reasons(std::uint64_t bits) {
  if (!filled(bits)) return 0;
  std::uint32_t result = 0;
  if (bits & power_bits) result |= throttle::power;
  if (bits & current_bits) result |= throttle::current;
  if (bits & temperature_bits) result |= throttle::temperature;
  return result;
}

class AmdSmi : public device::Sensors {
 public:
  explicit AmdSmi(const std::string& pci)
      : library_("PODIUM_AMD_SMI", {"libamd_smi.so", "/opt/rocm/lib/libamd_smi.so"}) {
    Init* init = nullptr;
    ProcessorFromBdf* find = nullptr;
    library_.need(init, "amdsmi_init");
    library_.need(shut_down_, "amdsmi_shut_down");
    library_.need(find, "amdsmi_get_processor_handle_from_bdf");
    library_.find(metrics_, "amdsmi_get_gpu_metrics_info");
    library_.find(energy_, "amdsmi_get_energy_count");
    library_.find(compute_partition_, "amdsmi_get_gpu_compute_partition");
    library_.find(memory_partition_, "amdsmi_get_gpu_memory_partition");
    const PciAddress at = pci_address(pci);
    const Bdf bdf = address(at.domain, at.bus, at.device, at.function);
    if (const Status status = init(init_gpus); status != success)
      throw Unavailable(fmt::format("{} did not start: status {}", library_.name(), status));
    if (const Status status = find(bdf, &processor_); status != success) {
      shut_down_();
      throw Unavailable(
          fmt::format("{} does not know the device at {}: status {}", library_.name(), pci, status));
    }
  }
  ~AmdSmi() override { shut_down_(); }

  device::Telemetry read() override {
    device::Telemetry result;
    auto metrics = std::make_unique<Metrics>();
    if (metrics_ && metrics_(processor_, metrics.get()) == success) {
      result.sm_clock = number(metrics->current_gfxclks[0], metrics->current_gfxclk);
      result.memory_clock = number(metrics->current_uclk);
      result.temperature = number(metrics->temperature_hotspot);
      result.power = number(metrics->current_socket_power, metrics->average_socket_power);
      result.throttle = reasons(metrics->indep_throttle_status);
    }
    return result;
  }
  double energy() override {
    std::uint64_t count = 0, time = 0;
    float each = 0;
    if (!energy_ || energy_(processor_, &count, &each, &time) != success || !filled(count))
      return device::unknown;
    return static_cast<double>(count) * static_cast<double>(each) * 1e-6;
  }
  std::string partition() override {
    const auto mode = [&](Partition* ask) -> std::string {
      std::array<char, 64> name{};
      const bool told = ask && ask(processor_, name.data(), name.size() - 1) == success;
      return told ? name.data() : "";
    };
    return partition_name(mode(compute_partition_), mode(memory_partition_));
  }
  std::string source() const override { return "AMD SMI"; }

 private:
  Library library_;
  Processor processor_ = nullptr;
  ShutDown* shut_down_ = nullptr;
  MetricsInfo* metrics_ = nullptr;
  EnergyCount* energy_ = nullptr;
  Partition* compute_partition_ = nullptr;
  Partition* memory_partition_ = nullptr;
};

}  // namespace

std::unique_ptr<device::Sensors> open_amd_smi(const std::string& pci) {
  return std::make_unique<AmdSmi>(pci);
}

}  // namespace podium::telemetry
