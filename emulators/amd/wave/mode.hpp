// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The hardware register MODE: how results are rounded, and what becomes of denormals.
#pragma once
#include <immintrin.h>

#include <cstdint>

#include "state.hpp"

namespace podium::amd {

inline constexpr std::uint32_t usual_mode = 0xf0;  // to the nearest, denormals kept: compilers' default

// Whether conversions to eight bits make the largest number of what is too large: FP16_OVFL.
inline bool clamps(const Wave* w) { return w->mode >> 23 & 1; }

// While this lives, the processor rounds as MODE says: `wide` for f64 and f16, else for f32.
class Rounding {
 public:
  Rounding(std::uint32_t mode, bool wide) {
    if ((mode & 255) == usual_mode) [[likely]]
      return;
    before_ = _mm_getcsr();
    // MODE: nearest, up, down, towards zero. The processor's: nearest, down, up, towards zero.
    constexpr std::uint32_t rounding[] = {0, 2, 1, 3};
    const std::uint32_t round = mode >> (wide ? 2 : 0) & 3, denormals = mode >> (wide ? 6 : 4) & 3;
    constexpr std::uint32_t flush_operands = 0x40, flush_results = 0x8000;
    std::uint32_t state = (before_ & ~0xe040u) | rounding[round] << 13;
    if (!(denormals & 1)) state |= flush_operands;
    if (!(denormals & 2)) state |= flush_results;
    _mm_setcsr(state);
  }
  ~Rounding() {
    if (before_ != 0) _mm_setcsr(before_);
  }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;

 private:
  std::uint32_t before_ = 0;  // never 0 where it was changed: exceptions are masked
};

}  // namespace podium::amd
