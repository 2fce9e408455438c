// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/target.hpp"

#include <cstdlib>

namespace podium::amd {

// LDS and L2 sizes: AMD's instruction set guides and product pages.
const std::array<Target, 5>& targets() {
  static const std::array<Target, 5> all = {{
      {"gfx90a", "AMD Instinct MI250X (emulated)", 64, 64 << 10, 8 << 20, 9, 0, 0x3f},
      {"gfx942", "AMD Instinct MI300X (emulated)", 64, 64 << 10, 4 << 20, 9, 4, 0x4c},
      {"gfx950", "AMD Instinct MI355X (emulated)", 64, 160 << 10, 4 << 20, 9, 5, 0x4f},
      {"gfx1100", "AMD Radeon RX 7900 XTX (emulated)", 32, 64 << 10, 6 << 20, 11, 0, 0x41},
      {"gfx1201", "AMD Radeon RX 9070 XT (emulated)", 32, 64 << 10, 8 << 20, 12, 0, 0x4e},
  }};
  return all;
}

const Target& target() {
  static const Target chosen = [] {
    const char* const wanted = std::getenv("PODIUM_EMULATED");
    for (const Target& one : targets())
      if (wanted && one.name == wanted) return one;
    return targets()[1];
  }();
  return chosen;
}

}  // namespace podium::amd
