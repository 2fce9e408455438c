// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/processor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "suite/base/throttle_reason.hpp"

namespace podium::telemetry {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

std::optional<double> number(const fs::path& file) {
  std::ifstream in(file);
  double value = 0;
  return in >> value ? std::optional(value) : std::nullopt;
}

std::string word(const fs::path& file) {
  std::ifstream in(file);
  std::string value;
  in >> value;
  return value;
}

// Entries of a folder whose names begin so; none where there is no such folder.
std::vector<fs::path> entries(const fs::path& folder, const std::string& prefix) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

double larger(double known, std::optional<double> other) {  // of two that may be unknown
  return !other ? known : std::isnan(known) ? *other : std::max(known, *other);
}

class Processor : public device::Sensors {
 public:
  explicit Processor(const fs::path& sys) {
    std::set<std::string> packages;  // the count of a package is told by each of its processors
    for (const auto& cpu : entries(sys / "devices/system/cpu", "cpu")) {
      keep(frequencies_, cpu / "cpufreq/scaling_cur_freq");
      if (packages.insert(word(cpu / "topology/physical_package_id")).second)
        keep(throttled_, cpu / "thermal_throttle/package_throttle_count");
    }
    for (const auto& monitor : entries(sys / "class/hwmon", "hwmon")) {
      const std::string name = word(monitor / "name");
      if (name != "coretemp" && name != "k10temp" && name != "zenpower") continue;
      for (const auto& file : entries(monitor, "temp"))
        if (file.filename().string().ends_with("_input")) keep(temperatures_, file);
    }
    if (temperatures_.empty())
      for (const auto& zone : entries(sys / "class/thermal", "thermal_zone")) {
        const std::string type = word(zone / "type");
        if (type == "x86_pkg_temp" || type.starts_with("cpu")) keep(temperatures_, zone / "temp");
      }
    // Packages only: what lies inside one ("core", "dram" of a client) is part of it, or not of the
    // processor.
    for (const auto& zone : entries(sys / "class/powercap", "intel-rapl:"))
      if (word(zone / "name").starts_with("package") && number(zone / "energy_uj"))
        packages_.push_back({zone / "energy_uj", number(zone / "max_energy_range_uj").value_or(0), {}, 0});
    read();  // energy, power and throttling count from here
  }

  device::Telemetry read() override {
    device::Telemetry result;
    double sum = 0;
    int count = 0;
    for (const auto& file : frequencies_)
      if (const auto kilohertz = number(file)) sum += *kilohertz, ++count;
    if (count > 0) result.sm_clock = sum / count * 1e-3;
    for (const auto& file : temperatures_) {
      const auto millidegrees = number(file);
      if (millidegrees) result.temperature = larger(result.temperature, *millidegrees * 1e-3);
    }
    const double joules = energy();
    const auto time = clock::now();
    const double seconds = std::chrono::duration<double>(time - energy_time_).count();
    if (looked_ && seconds > 0) result.power = (joules - energy_then_) / seconds;
    energy_then_ = joules;
    energy_time_ = time;
    double times = 0;
    for (const auto& file : throttled_) times += number(file).value_or(0);
    if (times > throttle_count_ && looked_) result.throttle |= throttle::temperature;
    throttle_count_ = times;
    looked_ = true;
    return result;
  }

  double energy() override {
    if (packages_.empty()) return device::unknown;
    double total = 0;
    for (Package& package : packages_) {
      const auto now = number(package.file);
      if (!now) return device::unknown;
      if (package.last) package.total += *now - *package.last + (*now < *package.last ? package.range : 0);
      package.last = now;
      total += package.total;
    }
    return total * 1e-6;
  }

  std::string source() const override {
    const bool any = !frequencies_.empty() || !temperatures_.empty() || !packages_.empty();
    return any ? "sysfs" : "none: the kernel reports no frequency, temperature or energy of this processor";
  }

 private:
  struct Package {
    fs::path file;
    double range = 0;  // microjoules at which the counter begins anew
    std::optional<double> last;
    double total = 0;  // microjoules since the first look
  };

  static void keep(std::vector<fs::path>& list, const fs::path& file) {
    if (number(file)) list.push_back(file);
  }

  std::vector<fs::path> frequencies_, temperatures_, throttled_;
  std::vector<Package> packages_;
  bool looked_ = false;
  double throttle_count_ = 0, energy_then_ = 0;
  clock::time_point energy_time_;
};

}  // namespace

std::unique_ptr<device::Sensors> open_processor(const fs::path& sys) {
  return std::make_unique<Processor>(sys);
}

}  // namespace podium::telemetry
