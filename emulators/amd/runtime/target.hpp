// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the stand-in says that the device is.
#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace podium::amd {

struct Target {
  std::string name;       // "gfx942"
  std::string product;    // "AMD Instinct MI300X (emulated)"
  int wave = 64;          // lanes, where a kernel does not choose
  std::uint32_t lds = 0;  // bytes of a group, at most
  std::int64_t l2 = 0;    // bytes
  int major = 0, minor = 0;
  std::uint32_t machine = 0;  // in the flags of its code objects, EF_AMDGPU_MACH (LLVM's guide for AMDGPU)
};

const std::array<Target, 5>& targets();
// That of PODIUM_EMULATED; gfx942 if it is not set or names none that the emulator knows.
const Target& target();

inline constexpr std::int64_t device_memory = std::int64_t{8}
                                              << 30;  // bytes: host memory, when it is touched
// Few, that grids which follow their number stay small: they only differ in how often a loop turns.
inline constexpr int compute_units = 4;
inline constexpr int most_threads = 1024;  // of a group
inline constexpr int threads_of_a_unit = 2048;

}  // namespace podium::amd
