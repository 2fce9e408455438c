// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// In podium-judge-cuda-emulated alone: its kernels are Podium's own. A test looks for their races
// (cuda.emulator.judges, by the environment's PODIUM_EMULATED_WATCH_JUDGE); the judge of every run need not.
#include <cstdlib>

#include "emulators/nvidia/device/races.hpp"

namespace {
[[maybe_unused]] const bool told = [] {
  if (!std::getenv("PODIUM_EMULATED_WATCH_JUDGE")) podium::ptx::watch_no_global_memory();
  return true;
}();
}  // namespace
