// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/scaled_mma.hpp"

#include <fmt/format.h>

#include <array>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/products.hpp"
#include "emulators/nvidia/device/scale_factor.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, warp_lanes = 32, rows = 16, columns = 8;

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
  std::array<ScaleData, warp_lanes> of_a, of_b;
  for (u32 lane = 0; lane < warp_lanes; ++lane) {
    of_a[lane] = *all[lane]->scale_a;
    of_b[lane] = *all[lane]->scale_b;
  }
  scale(all[0]->thread, all[0]->line, how.scaling, a, of_a.data(), b, of_b.data());
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < 4; ++i)
      all[lane]->d[i] = dot_as(Element::f32, a, lane / 4 + 8 * (i / 2), b, 2 * (lane % 4) + i % 2,
                               all[lane]->c[i], wide_sum, false);
}

void scale_row(GpuThread* thread, int line, const Scaling& how, MatrixOperand& matrix, u32 row,
               const ScaleData& from) {
  const u32 count = matrix.k() / how.vector;
  if (from.byte + how.vector > 4)
    launch().fail(thread, line,
                  fmt::format("mma.sync with scale factors from byte {} on: {} do not fit a register",
                              from.byte, how.vector));
  for (u32 i = 0; i < how.vector; ++i)
    matrix.scale(row, i * count, count, scale_factor(from.word >> 8 * (from.byte + i) & 0xff, how.exponents));
}

}  // namespace

void scale(GpuThread* thread, int line, const Scaling& how, MatrixOperand& a, const ScaleData* of_a,
           MatrixOperand& b, const ScaleData* of_b) {
  if (how.vector == 0) return;
  for (u32 row = 0; row < rows; ++row)
    scale_row(thread, line, how, a, row, of_a[row % 8 * 4 + row / 8 + 2 * (of_a[0].thread % 2)]);
  for (u32 column = 0; column < columns; ++column)
    scale_row(thread, line, how, b, column, of_b[column * 4 + of_b[0].thread % 4]);
}

void multiply_scaled(Thread* t, int line, const ScaledMma& how, const u32* a, const u32* b, const u32* c,
                     u32* d, const ScaleData& scale_a, const ScaleData& scale_b) {
  Operands mine{&of(t), line, &how, a, b, c, d, &scale_a, &scale_b};
  meet<Operands>(t, line, all_lanes, "mma.sync", mine, &finish);
}

}  // namespace podium::ptx
