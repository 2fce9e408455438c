// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/environment.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "suite/cluster/program.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

// What nvidia-smi is asked, and what its answers are called here.
constexpr std::array<std::pair<const char*, const char*>, 15> nvidia_fields{{
    {"uuid", ""},
    {"driver_version", "driver"},
    {"vbios_version", "vbios"},
    {"persistence_mode", "persistence"},
    {"ecc.mode.current", "ecc"},
    {"mig.mode.current", "mig"},
    {"compute_mode", "compute_mode"},
    {"power.limit", "power_cap_w"},
    {"power.default_limit", "power_default_w"},
    {"clocks.max.sm", "sm_clock_mhz"},
    {"clocks.max.memory", "memory_clock_mhz"},
    {"clocks.applications.graphics", "sm_clock_set_mhz"},
    {"clocks.applications.memory", "memory_clock_set_mhz"},
    {"pcie.link.gen.max", "pcie_generation"},
    {"pcie.link.width.max", "pcie_width"},
}};

// Files of an AMD device's folder in /sys/bus/pci/devices.
constexpr std::array<std::pair<const char*, const char*>, 6> amd_files{{
    {"vbios_version", "vbios"},
    {"current_compute_partition", "compute_partition"},
    {"current_memory_partition", "memory_partition"},
    {"power_dpm_force_performance_level", "performance_level"},
    {"ras/features", "ecc"},
    {"current_link_speed", "pcie_speed"},
}};

constexpr std::array<std::pair<const char*, const char*>, 5> machine_files{{
    {"proc/sys/kernel/osrelease", "kernel"},
    {"sys/devices/system/cpu/smt/active", "smt"},
    {"sys/devices/system/cpu/cpufreq/boost", "boost"},
    {"sys/devices/system/cpu/intel_pstate/no_turbo", "no_turbo"},
    {"sys/kernel/mm/transparent_hugepage/enabled", "huge_pages"},
}};

std::string trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return std::string(text);
}

std::string first_line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return trimmed(line);
}

void note(Environment& environment, const std::string& name, const std::string& value) {
  if (!value.empty()) environment[name] = value;
}

// The highest of a list such as "0: 132Mhz\n1: 2100Mhz *".
std::string highest_clock(const fs::path& file) {
  std::ifstream in(file);
  long highest = 0;
  for (std::string line; std::getline(in, line);)
    if (const auto colon = line.find(": "); colon != line.npos)
      highest = std::max(highest, std::strtol(line.c_str() + colon + 2, nullptr, 10));
  return highest > 0 ? std::to_string(highest) : "";
}

FoundDevice amd_device(const fs::path& device, const fs::path& root) {
  FoundDevice found{.id = first_line_of(device / "unique_id"), .environment = {}};
  Environment& all = found.environment;
  note(all, "driver", first_line_of(root / "sys/module/amdgpu/version"));
  for (const auto& [file, name] : amd_files) note(all, name, first_line_of(device / file));
  note(all, "sm_clock_mhz", highest_clock(device / "pp_dpm_sclk"));
  note(all, "memory_clock_mhz", highest_clock(device / "pp_dpm_mclk"));
  std::error_code none;
  for (const auto& sensors : fs::directory_iterator(device / "hwmon", none))
    if (const auto microwatts = first_line_of(sensors.path() / "power1_cap"); !microwatts.empty())
      all["power_cap_w"] = fmt::format("{:.0f}", std::strtod(microwatts.c_str(), nullptr) / 1e6);
  return found;
}

// Of all processors: those of one machine may differ.
std::string governors(const fs::path& root) {
  std::set<std::string> all;
  std::error_code none;
  for (const auto& cpu : fs::directory_iterator(root / "sys/devices/system/cpu", none))
    if (const auto governor = first_line_of(cpu.path() / "cpufreq/scaling_governor"); !governor.empty())
      all.insert(governor);
  std::string text;
  for (const auto& governor : all) text += (text.empty() ? "" : ", ") + governor;
  return text;
}

void note_machine(Environment& environment, const fs::path& root) {
  std::ostringstream cpuinfo;
  cpuinfo << std::ifstream(root / "proc/cpuinfo").rdbuf();
  environment["cpu"] = record::cpu_model(cpuinfo.str());
  environment["governor"] = governors(root);
  if (environment["governor"].empty()) environment["governor"] = "none: the kernel does not set clocks";
  for (const auto& [file, name] : machine_files) note(environment, name, first_line_of(root / file));
}

// The kernel writes addresses in lower case, CUDA in upper case.
fs::path folder_of(std::string pci, const fs::path& root) {
  std::ranges::transform(pci, pci.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return root / "sys/bus/pci/devices" / pci;
}

std::vector<int> own_cpus() {
  cpu_set_t set;
  std::vector<int> all;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return all;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) all.push_back(cpu);
  return all;
}

bool bind_to(const std::vector<int>& cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(cpu, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

}  // namespace

FoundDevice nvidia_device(const std::string& line) {
  FoundDevice found;
  std::istringstream values(line);
  std::string value;
  for (const auto& [asked, name] : nvidia_fields) {
    if (!std::getline(values, value, ',')) break;
    value = trimmed(value);
    const bool known = !value.empty() && value.front() != '[' && value != "N/A";
    if (!known) continue;
    if (*name)
      found.environment[name] = value;
    else
      found.id = value;
  }
  return found;
}

FoundDevice describe_device(const std::string& pci, const fs::path& root) {
  FoundDevice found;
  if (!pci.empty()) {
    const fs::path device = folder_of(pci, root);
    if (fs::exists(device / "unique_id")) {
      found = amd_device(device, root);
    } else {
      std::string fields;
      for (const auto& [asked, name] : nvidia_fields)
        fields += (fields.empty() ? "" : ",") + std::string(asked);
      const Said said =
          run_tool({"nvidia-smi", "--id=" + pci, "--format=csv,noheader,nounits", "--query-gpu=" + fields});
      found = said.status == 0 ? nvidia_device(said.out) : FoundDevice{};
      if (said.status != 0)
        found.environment["device"] = "not described: " + last_sentence(said.err + said.out);
    }
    if (found.id.empty()) found.id = pci;
    found.environment["pci"] = pci;
    note(found.environment, "numa_node", first_line_of(device / "numa_node"));
  }
  note_machine(found.environment, root);
  return found;
}

std::vector<int> cpu_list(const std::string& text) {
  std::vector<int> all;
  std::istringstream ranges(text);
  for (std::string range; std::getline(ranges, range, ',');) {
    char* end = nullptr;
    const long first = std::strtol(range.c_str(), &end, 10);
    if (end == range.c_str()) return {};
    const long last = *end == '-' ? std::strtol(end + 1, nullptr, 10) : first;
    for (long cpu = first; cpu <= last && cpu < CPU_SETSIZE; ++cpu) all.push_back(static_cast<int>(cpu));
  }
  return all;
}

std::string cpu_list(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t j = i;
    while (j + 1 < cpus.size() && cpus[j + 1] == cpus[j] + 1) ++j;
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", cpus[i],
                        j > i ? fmt::format("-{}", cpus[j]) : std::string());
    i = j + 1;
  }
  return text;
}

std::vector<int> near_cpus(const std::string& pci, const fs::path& root) {
  return pci.empty() ? std::vector<int>{} : cpu_list(first_line_of(folder_of(pci, root) / "local_cpulist"));
}

void bind_near(const std::string& pci, Environment& environment) {
  const auto own = own_cpus(), near = near_cpus(pci);
  std::vector<int> both;
  std::ranges::set_intersection(own, near, std::back_inserter(both));
  if (near.empty()) {
    environment["cpu_binding"] =
        pci.empty() ? "as the job was given" : "none: the kernel lists no near processors";
  } else if (both.empty()) {
    environment["cpu_binding"] = "none: the job was given no processor near the device";
  } else if (both.size() == own.size()) {
    environment["cpu_binding"] = "all processors of the job are near the device";
  } else {
    environment["cpu_binding"] =
        bind_to(both) ? "to those near the device" : "none: the kernel refused the near processors";
  }
  environment["cpus"] = cpu_list(own_cpus());
}

}  // namespace podium::cluster
