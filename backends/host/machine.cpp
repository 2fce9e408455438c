// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/host/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <utility>

namespace podium::host {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::int64_t number(const std::string& text, std::int64_t otherwise) {
  try {
    return std::stoll(text);
  } catch (const std::exception&) {  // "max", or nothing at all
    return otherwise;
  }
}

// The value behind `key` in files such as /proc/meminfo and /proc/cpuinfo.
std::string value_of(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    if (line.find_first_not_of(" \t", key.size()) != colon) continue;
    const auto start = line.find_first_not_of(" \t", colon + 1);
    return start == std::string::npos ? "" : line.substr(start);
  }
  return "";
}

// What the control groups (v2) of this process leave it.
std::int64_t group_leaves() {
  constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();
  std::int64_t left = unlimited;
  std::ifstream in("/proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("0::/", 0) != 0) continue;
    const fs::path root = "/sys/fs/cgroup";
    for (fs::path at = root / line.substr(4);; at = at.parent_path()) {
      const std::int64_t limit = number(first_line(at / "memory.max"), unlimited);
      if (limit != unlimited) left = std::min(left, limit - number(first_line(at / "memory.current"), 0));
      if (at == root || !at.has_relative_path()) break;
    }
  }
  return std::max<std::int64_t>(left, 0);
}

}  // namespace

std::string product() {
  std::string name = value_of("/proc/cpuinfo", "model name");
  if (name.empty()) name = first_line("/proc/device-tree/model");
  name = name.substr(0, name.find('\0'));
  return name.empty() ? architecture() + " processor" : name;
}

std::string architecture() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  // The levels of the x86-64 psABI by what tells them apart: not every compiler knows their names.
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 =
      v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? "x86-64-v4" : v3 ? "x86-64-v3" : v2 ? "x86-64-v2" : "x86-64";
#else
  utsname name{};
  uname(&name);
  return name.machine;
#endif
}

std::string kernel() {
  utsname name{};
  uname(&name);
  return std::string(name.sysname) + " " + name.release;
}

int threads() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

std::int64_t memory() {
  return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
}

std::int64_t available() {
  const std::int64_t kibibytes = number(value_of("/proc/meminfo", "MemAvailable"), -1);
  return std::min(kibibytes < 0 ? memory() : kibibytes * 1024, group_leaves());
}

std::int64_t last_level_cache() {
  std::map<std::string, std::int64_t> instances;  // by the processors that share one
  std::int64_t level = 0;
  std::error_code none;
  for (const auto& cpu : fs::directory_iterator("/sys/devices/system/cpu", none)) {
    for (const auto& cache : fs::directory_iterator(cpu.path() / "cache", none)) {
      const std::int64_t here = number(first_line(cache.path() / "level"), 0);
      if (here < level || here == 0 || first_line(cache.path() / "type") == "Instruction") continue;
      if (here > level) instances.clear();
      level = here;
      const std::string size = first_line(cache.path() / "size");  // "32768K"
      const std::int64_t unit = size.ends_with('M') ? 1 << 20 : size.ends_with('K') ? 1 << 10 : 1;
      instances[first_line(cache.path() / "shared_cpu_list")] = number(size, 0) * unit;
    }
  }
  std::int64_t total = 0;
  for (const auto& [shared_by, bytes] : instances) total += bytes;
  if (total == 0) total = sysconf(_SC_LEVEL3_CACHE_SIZE);
  constexpr std::int64_t usual = 32 << 20;  // where the machine does not say
  return total > 0 ? total : usual;
}

}  // namespace podium::host
