// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/scaled_mma.hpp"

#include <fmt/format.h>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/products.hpp"
#include "emulators/nvidia/device/scale_factor.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, rows = 16, columns = 8;

struct Operands {
  GpuThread* thread;
  int line;
  const ScaledMma* how;
  const u32 *a, *b, *c;
  u32* d;
  const ScaleData *scale_a, *scale_b;
};

f32 element_of(u32 word, u32 index, Element type, bool packed) {
  if (packed) return widened(word >> 4 * index & 0xf, e2m1);
  const u32 byte = word >> 8 * index;
  return element(reinterpret_cast<const u8*>(&byte), type);
}

void scale_row(const Operands& one, MatrixOperand& matrix, u32 row, const ScaleData& from) {
  const u32 count = one.how->k / one.how->vector;
  if (from.byte + one.how->vector > 4)
    launch().fail(one.thread, one.line,
                  fmt::format("mma.sync with scale factors from byte {} on: {} do not fit a register",
                              from.byte, one.how->vector));
  for (u32 i = 0; i < one.how->vector; ++i)
    matrix.scale(row, i * count, count,
                 scale_factor(from.word >> 8 * (from.byte + i) & 0xff, one.how->exponents));
}

void finish(Operands* const* all, u32) {
  const ScaledMma& how = *all[0]->how;
  const u32 each = how.packed ? 8 : 4;
  MatrixOperand a(rows, how.k), b(columns, how.k);
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 e = 0; e < each; ++e) {
      const u32 group = lane / 4, k = lane % 4 * each + e;
      for (u32 r = 0; r < 4; ++r)
        a.set(group + 8 * (r % 2), r / 2 * 4 * each + k, element_of(all[lane]->a[r], e, how.a, how.packed));
      for (u32 r = 0; r < 2; ++r)
        b.set(group, r * 4 * each + k, element_of(all[lane]->b[r], e, how.b, how.packed));
    }
  if (how.vector != 0) {
    for (u32 row = 0; row < rows; ++row)
      scale_row(*all[0], a, row, *all[row % 8 * 4 + row / 8 + 2 * (all[0]->scale_a->thread % 2)]->scale_a);
    for (u32 column = 0; column < columns; ++column)
      scale_row(*all[0], b, column, *all[column * 4 + all[0]->scale_b->thread % 4]->scale_b);
  }
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < 4; ++i)
      all[lane]->d[i] = dot_as(Element::f32, a, lane / 4 + 8 * (i / 2), b, 2 * (lane % 4) + i % 2,
                               all[lane]->c[i], wide_sum, false);
}

}  // namespace

void multiply_scaled(Thread* t, int line, const ScaledMma& how, const u32* a, const u32* b, const u32* c,
                     u32* d, const ScaleData& scale_a, const ScaleData& scale_b) {
  Operands mine{&of(t), line, &how, a, b, c, d, &scale_a, &scale_b};
  meet<Operands>(t, line, all_lanes, "mma.sync", mine, &finish);
}

}  // namespace podium::ptx
