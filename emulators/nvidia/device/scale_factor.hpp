// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scale factors of blocks (PTX ISA 5.2.3): ue8m0, a power of two, and ue4m3, which has no sign.
#pragma once
#include <cmath>

#include "emulators/nvidia/device/narrow.hpp"

namespace podium::ptx {

inline f32 scale_factor(u32 code, bool exponents) {
  if (!exponents) return widened(code & 0x7f, e4m3);
  constexpr u32 nan = 0xff;
  return code == nan ? float_of(nan32) : std::ldexp(1.0f, static_cast<int>(code) - 127);
}

}  // namespace podium::ptx
