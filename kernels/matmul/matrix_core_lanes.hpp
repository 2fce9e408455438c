// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which elements of a, b and c each lane of a wave holds in one instruction of AMD's matrix cores, c += a b
// with 16-bit operands and f32 sums. Plain numbers, so that a test on any machine compares them with AMD's
// tables (the ISA documents of CDNA 3, CDNA 4, RDNA 3 and RDNA 4).
//
// a has `side` rows, b `side` columns, both `depth` of k. A lane holds `held` consecutive k, from first(lane)
// on, of row line(lane) of a and of column line(lane) of b. The hardware numbers k differently on some
// architectures; since it does so alike for a and b, every product meets its partner and only the order of
// the sum differs. Of c it holds `sums` elements, at the places that are given.
#pragma once

namespace matrix_cores {

struct Place {
  int row, column;
};

// CDNA: v_mfma_f32_32x32x8 (f16; bf16_1k) of gfx90a and gfx942, v_mfma_f32_32x32x16 of gfx950.
template <int depth_>
struct Mfma {
  static constexpr int lanes = 64, side = 32, depth = depth_, held = depth_ / 2, sums = 16;
  static constexpr int line(int lane) { return lane % 32; }
  static constexpr int first(int lane) { return lane / 32 * held; }
  static constexpr Place sum(int lane, int i) { return {i / 4 * 8 + lane / 32 * 4 + i % 4, lane % 32}; }
};

// RDNA 3: v_wmma_f32_16x16x16 of gfx11, whose two halves of a wave of 32 hold the same operands.
struct Wmma11 {
  static constexpr int lanes = 32, side = 16, depth = 16, held = 16, sums = 8;
  static constexpr int line(int lane) { return lane % 16; }
  static constexpr int first(int) { return 0; }
  static constexpr Place sum(int lane, int i) { return {i * 2 + lane / 16, lane % 16}; }
};

// RDNA 4: v_wmma_f32_16x16x16 of gfx12.
struct Wmma12 {
  static constexpr int lanes = 32, side = 16, depth = 16, held = 8, sums = 8;
  static constexpr int line(int lane) { return lane % 16; }
  static constexpr int first(int lane) { return lane / 16 * held; }
  static constexpr Place sum(int lane, int i) { return {lane / 16 * 8 + i, lane % 16}; }
};

}  // namespace matrix_cores
