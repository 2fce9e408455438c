// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/idle.hpp"

#include <algorithm>
#include <fstream>

namespace podium::ptx {

unsigned idle_processors(unsigned online, const std::filesystem::path& root) {
  // Three averages, then running/all.
  std::ifstream file(root / "proc/loadavg");
  double average = 0;
  unsigned running = 0;
  char slash = 0;
  if (!(file >> average >> average >> average >> running >> slash) || slash != '/') running = 1;
  return online - std::clamp(running, std::min(1u, online), online);
}

}  // namespace podium::ptx
