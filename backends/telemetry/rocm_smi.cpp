// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/rocm_smi.hpp"

#include <fmt/format.h>

#include <array>

#include "backends/telemetry/amd_partition.hpp"
#include "backends/telemetry/library.hpp"

namespace podium::telemetry {
namespace {

using namespace rocm_smi;

// As rsmi_dev_pci_id_get states it; bits 16 to 31 are reserved, and newer drivers put partitions into 28
// to 31.
constexpr std::uint64_t identity = 0xffffffff0000ffff;

class RocmSmi : public device::Sensors {
 public:
  explicit RocmSmi(const std::string& pci)
      : library_("PODIUM_ROCM_SMI",
                 {"librocm_smi64.so", "/opt/rocm/lib/librocm_smi64.so", "librocm_smi64.so.1"}) {
    Init* init = nullptr;
    GetVersion* get_version = nullptr;
    library_.need(init, "rsmi_init");
    library_.need(get_version, "rsmi_version_get");
    library_.need(shut_down_, "rsmi_shut_down");
    library_.need(count_, "rsmi_num_monitor_devices");
    library_.need(pci_id_, "rsmi_dev_pci_id_get");
    library_.find(clock_, "rsmi_dev_gpu_clk_freq_get");
    library_.find(temperature_, "rsmi_dev_temp_metric_get");
    library_.find(socket_power_, "rsmi_dev_current_socket_power_get");
    library_.find(average_power_, "rsmi_dev_power_ave_get");
    library_.find(energy_, "rsmi_dev_energy_count_get");
    library_.find(compute_partition_, "rsmi_dev_compute_partition_get");
    library_.find(memory_partition_, "rsmi_dev_memory_partition_get");
    const PciAddress at = pci_address(pci);
    if (const Status status = init(0); status != success)
      throw Unavailable(fmt::format("{} did not start: status {}", library_.name(), status));
    Version version{};
    flagged_ = get_version(&version) == success && version.major >= flagged_since;
    if (!choose(std::uint64_t{at.domain} << 32 | at.bus << 8 | at.device << 3 | at.function)) {
      shut_down_();
      throw Unavailable(fmt::format("{} does not know the device at {}", library_.name(), pci));
    }
  }
  ~RocmSmi() override { shut_down_(); }

  device::Telemetry read() override {
    device::Telemetry result;
    result.sm_clock = clock(clock_system);
    result.memory_clock = clock(clock_memory);
    std::int64_t millidegrees = 0;
    if (temperature_ &&
        temperature_(device_, temperature_junction, temperature_current, &millidegrees) == success)
      result.temperature = static_cast<double>(millidegrees) * 1e-3;
    std::uint64_t count = 0;
    if ((socket_power_ && socket_power_(device_, &count) == success) ||
        (average_power_ && average_power_(device_, 0, &count) == success))
      result.power = static_cast<double>(count) * 1e-6;
    return result;
  }
  double energy() override {
    std::uint64_t count = 0, time = 0;
    float each = 0;
    if (!energy_ || energy_(device_, &count, &each, &time) != success) return device::unknown;
    return static_cast<double>(count) * static_cast<double>(each) * 1e-6;
  }
  std::string partition() override {
    const auto mode = [&](Partition* ask) -> std::string {
      std::array<char, 64> name{};
      const bool told = ask && ask(device_, name.data(), name.size() - 1) == success;
      return told ? name.data() : "";
    };
    return partition_name(mode(compute_partition_), mode(memory_partition_));
  }
  std::string source() const override { return "ROCm SMI"; }

 private:
  bool choose(std::uint64_t wanted) {
    std::uint32_t devices = 0;
    if (count_(&devices) != success) return false;
    for (device_ = 0; device_ < devices; ++device_)
      if (std::uint64_t id = 0; pci_id_(device_, &id) == success && (id & identity) == wanted) return true;
    return false;
  }

  double clock(int type) {
    AnyFrequencies all{};
    if (!clock_ || clock_(device_, type, &all) != success) return device::unknown;
    const std::uint32_t supported = flagged_ ? all.flagged.supported : all.plain.supported;
    const std::uint32_t current = flagged_ ? all.flagged.current : all.plain.current;
    if (current >= supported || current >= 32) return device::unknown;
    const std::uint64_t hertz = flagged_ ? all.flagged.frequency[current] : all.plain.frequency[current];
    return static_cast<double>(hertz) * 1e-6;
  }

  Library library_;
  std::uint32_t device_ = 0;
  bool flagged_ = false;
  ShutDown* shut_down_ = nullptr;
  Count* count_ = nullptr;
  PciId* pci_id_ = nullptr;
  ClockFrequencies* clock_ = nullptr;
  Temperature* temperature_ = nullptr;
  SocketPower* socket_power_ = nullptr;
  AveragePower* average_power_ = nullptr;
  EnergyCount* energy_ = nullptr;
  Partition* compute_partition_ = nullptr;
  Partition* memory_partition_ = nullptr;
};

}  // namespace

std::unique_ptr<device::Sensors> open_rocm_smi(const std::string& pci) {
  return std::make_unique<RocmSmi>(pci);
}

}  // namespace podium::telemetry
