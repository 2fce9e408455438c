// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/common/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>

namespace podium::emulation {
namespace {

namespace fs = std::filesystem;

unsigned in_mask() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return std::max(1u, static_cast<unsigned>(CPU_COUNT(&allowed)));
}

// Of a control group's folder: processors, or nothing where it has no quota.
std::optional<double> quota(const fs::path& group) {
  double allowed = 0, period = 0;
  if (std::ifstream both(group / "cpu.max"); both >> allowed >> period && period > 0) return allowed / period;
  std::ifstream microseconds(group / "cpu.cfs_quota_us"), of(group / "cpu.cfs_period_us");
  if (microseconds >> allowed && of >> period && allowed > 0 && period > 0) return allowed / period;
  return std::nullopt;
}

}  // namespace

unsigned processors(const fs::path& root) {
  double most = in_mask();
  // Lines are number:controllers:path; version 2 has number 0 and no controllers.
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",cpu,") == std::string::npos) continue;
    const fs::path mounted = root / (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/cpu");
    for (fs::path path = fs::path(line.substr(second + 1)).relative_path();; path = path.parent_path()) {
      if (const auto allowed = quota(mounted / path)) most = std::min(most, *allowed);
      if (path.empty()) break;
    }
  }
  return std::max(1u, static_cast<unsigned>(most));
}

}  // namespace podium::emulation
