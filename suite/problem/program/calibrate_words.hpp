// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The words of a calibration kernel's context, and the dtypes of its arithmetic. The judge includes this too.
#pragma once
#include "types.hpp"

namespace podium::program {

enum class CalibratedType : int { f64, f32, f16, bf16 };
inline constexpr int calibrated_types = 4;

// Places in the context.
enum CalibrationWord : int {
  calibrate_from,   // address of what is read
  calibrate_to,     // address of what is written; of the results
  calibrate_count,  // how many packets of `packet_bytes`, words, or steps, as the kernel says
  calibrate_passes,
  calibrate_never,    // the results in which compilers must believe are stored if they equal this
  calibrate_keep,     // of random bits, and
  calibrate_fixed,    // those that are set
  calibrate_factors,  // two factors and two summands of a dtype, as bits
  calibrate_words = calibrate_factors + 4
};

// What memory kernels move at once.
inline constexpr int packet_bytes = 16;

// 64 random bits, of which `keep` stay and `fixed` are set, are floats of magnitudes from 1/8 to 2: no
// operand is zero, and what is switched is what random data switches.
struct BitPattern {
  u64 keep, fixed;
};
inline constexpr BitPattern f64_pattern{0x803fffffffffffff, 0x3fc0000000000000},
    f32_pattern{0x81ffffff81ffffff, 0x3e0000003e000000}, f16_pattern{0x8fff8fff8fff8fff, 0x3000300030003000},
    bf16_pattern{0x81ff81ff81ff81ff, 0x3e003e003e003e00},
    e4m3_pattern{0x9f9f9f9f9f9f9f9f, 0x2020202020202020}, i8_pattern{0xffffffffffffffff, 0};

// x * 1.367 + 0.3 and x * -0.71 + 0.9 in turn go to two numbers between which x alternates for ever: neither
// overflow nor underflow, and the operands of successive instructions differ.
struct FusedBits {
  BitPattern start;
  u64 factor[2], summand[2];
};
inline constexpr FusedBits fused_bits[calibrated_types] = {
    {f64_pattern, {0x3ff5e00000000000, 0xbfe6b80000000000}, {0x3fd3340000000000, 0x3feccc0000000000}},
    {f32_pattern, {0x3faf00003faf0000, 0xbf35c000bf35c000}, {0x3e99a0003e99a000, 0x3f6660003f666000}},
    {f16_pattern, {0x3d783d783d783d78, 0xb9aeb9aeb9aeb9ae}, {0x34cd34cd34cd34cd, 0x3b333b333b333b33}},
    {bf16_pattern, {0x3faf3faf3faf3faf, 0xbf36bf36bf36bf36}, {0x3e9a3e9a3e9a3e9a, 0x3f663f663f663f66}}};

}  // namespace podium::program
