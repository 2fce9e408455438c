// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "backends/telemetry/kfd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace podium::telemetry {
namespace {

namespace fs = std::filesystem;

using Properties = std::map<std::string, std::uint64_t>;

// Lines of a name and a number. Others, which there are, are passed over.
Properties properties(const fs::path& file) {
  Properties all;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) continue;
    try {
      all[line.substr(0, blank)] = std::stoull(line.substr(blank + 1));
    } catch (const std::exception&) {  // no number
    }
  }
  return all;
}

std::uint64_t value(const Properties& all, const std::string& name) {
  const auto found = all.find(name);
  return found == all.end() ? 0 : found->second;
}

// 90402 -> "gfx942", 90010 -> "gfx90a": major, minor and stepping with two decimal digits each, of which the
// name has the last in hexadecimal.
std::string architecture(std::uint64_t version) {
  return fmt::format("gfx{}{}{:x}", version / 10000, version / 100 % 100, version % 100);
}

std::vector<fs::path> numbered(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) all.push_back(entry.path());
  std::ranges::sort(all, {}, [](const fs::path& path) {
    const std::string name = path.filename();
    return std::pair(name.size(), name);  // 2 before 10
  });
  return all;
}

std::int64_t far_cache(const fs::path& node) {
  std::uint64_t kilobytes = 0;
  for (const auto& cache : numbered(node / "caches")) {
    const auto all = properties(cache / "properties");
    if (value(all, "level") == 3) kilobytes += value(all, "size");
  }
  return static_cast<std::int64_t>(kilobytes) << 10;
}

}  // namespace

std::vector<KfdGpu> kfd_gpus(const fs::path& sys) {
  std::vector<KfdGpu> gpus;
  for (const auto& node : numbered(sys / "class/kfd/kfd/topology/nodes")) {
    const auto all = properties(node / "properties");
    if (value(all, "simd_count") == 0) continue;  // a processor
    const auto location = static_cast<std::uint32_t>(value(all, "location_id"));
    gpus.push_back({.architecture = architecture(value(all, "gfx_target_version")),
                    .domain = static_cast<std::uint32_t>(value(all, "domain")),
                    .bus = location >> 8 & 0xff,
                    .device = location >> 3 & 0x1f,
                    .function = location & 7,
                    .wave = static_cast<int>(value(all, "wave_front_size")),
                    .local_share = static_cast<std::int64_t>(value(all, "lds_size_in_kb")) << 10,
                    .dies = static_cast<int>(value(all, "num_xcc")),
                    .far_cache = far_cache(node)});
  }
  return gpus;
}

}  // namespace podium::telemetry
