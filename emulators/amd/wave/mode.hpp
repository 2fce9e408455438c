// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The hardware register MODE: how results are rounded, and what becomes of denormals.
#pragma once
#include <xmmintrin.h>  // all of <immintrin.h> takes as long as the rest of a translation

#include <cstdint>

#include "state.hpp"

namespace podium::amd {

inline constexpr std::uint32_t usual_mode = 0xf0;  // to the nearest, denormals kept: compilers' default

// Whether conversions to eight bits make the largest number of what is too large: FP16_OVFL.
inline bool clamps(const Wave* w) { return w->mode >> 23 & 1; }

// Which denormals MODE makes zeros: of f32, and of f64 and f16 (wide).
struct Denormals {
  bool operands, results, wide_operands, wide_results;
  explicit Denormals(std::uint32_t mode)
      : operands(!(mode & 16)),
        results(!(mode & 32)),
        wide_operands(!(mode & 64)),
        wide_results(!(mode & 128)) {}
};

// Bits of a number, or of zero with its sign if it is denormal. Bits above it stay.
inline std::uint64_t flushed_f16(std::uint64_t x) { return x & 0x7c00 ? x : x & ~std::uint64_t{0x3ff}; }
inline std::uint64_t flushed_pair(std::uint64_t x) {
  const std::uint64_t low = flushed_f16(x);
  return low & 0x7c000000 ? low : low & ~std::uint64_t{0x3ff0000};
}
inline std::uint64_t flushed_f32(std::uint64_t x) {
  return x & 0x7f800000 ? x : x & ~std::uint64_t{0x7fffff};
}
inline std::uint64_t flushed_f64(std::uint64_t x) {
  return x & 0x7ff0000000000000 ? x : x & ~std::uint64_t{0xfffffffffffff};
}

// While this lives, the processor rounds as MODE says, and flushes as it says: `wide`: the result is of f64
// or f16, else of f32; `wide_operands` of the operands.
class Rounding {
 public:
  Rounding(std::uint32_t mode, bool wide, bool wide_operands) {
    if ((mode & 255) == usual_mode) [[likely]]
      return;
    before_ = _mm_getcsr();
    // MODE: nearest, up, down, towards zero. The processor's: nearest, down, up, towards zero.
    constexpr std::uint32_t rounding[] = {0, 2, 1, 3};
    const Denormals denormals(mode);
    constexpr std::uint32_t flush_operands = 0x40, flush_results = 0x8000;
    std::uint32_t state = (before_ & ~0xe040u) | rounding[mode >> (wide ? 2 : 0) & 3] << 13;
    if (wide_operands ? denormals.wide_operands : denormals.operands) state |= flush_operands;
    if (wide ? denormals.wide_results : denormals.results) state |= flush_results;
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
