// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/device_nodes.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t everybody = S_IROTH | S_IWOTH, its_group = S_IRGRP | S_IWGRP;

bool may(const struct stat& status, mode_t how) { return (status.st_mode & how) == how; }

void look(const fs::path& folder, std::vector<ClosedNode>& closed) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename();
    const bool nvidia = name.starts_with("nvidia") && !name.starts_with("nvidia-caps");
    const bool amd = name == "kfd" || name.starts_with("renderD");
    struct stat status{};
    if ((!nvidia && !amd) || stat(entry.path().c_str(), &status) != 0 || S_ISDIR(status.st_mode) ||
        may(status, everybody))
      continue;
    if (nvidia)
      closed.push_back({entry.path(), "open it to all (chmod a+rw)"});
    else if (status.st_gid == 0 || !may(status, its_group))
      closed.push_back({entry.path(),
                        "give it to the group render and let that read and write it (chgrp render, "
                        "chmod g+rw)"});
  }
}

}  // namespace

std::vector<ClosedNode> closed_to_workers(const fs::path& dev) {
  std::vector<ClosedNode> closed;
  look(dev, closed);
  look(dev / "dri", closed);
  std::ranges::sort(closed, {}, &ClosedNode::file);
  return closed;
}

}  // namespace podium::cli
