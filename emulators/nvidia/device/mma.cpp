// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sync of floats: D = A B + C, A row-major, B column-major, over a warp's fragments. They are added as an
// H200 adds those of wgmma: products.hpp; mma.sync's own order and width of the sum are documented nowhere.
#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/products.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff;

struct Operands {
  const Mma* how;
  const u32 *a, *b, *c;
  u32* d;
};

// Where a fragment's register of a lane lies: rows r % 2 apart by 8, then columns (PTX ISA, figures of
// mma.m16n8k*).
void read_a(const Operands& lane, u32 number, MatrixOperand& a) {
  const Mma& how = *lane.how;
  const u32 each = 4 / bytes_of(how.a), group = number / 4, in_group = number % 4;
  const u32 rows = how.m / 8, registers = how.m * how.k / 32 / each;
  for (u32 r = 0; r < registers; ++r)
    for (u32 e = 0; e < each; ++e)
      a.set(group + 8 * (r % rows), (r / rows) * 4 * each + in_group * each + e,
            element(reinterpret_cast<const u8*>(&lane.a[r]) + e * bytes_of(how.a), how.a));
}
void read_b(const Operands& lane, u32 number, MatrixOperand& b) {
  const Mma& how = *lane.how;
  const u32 each = 4 / bytes_of(how.b), group = number / 4, in_group = number % 4;
  const u32 registers = 8 * how.k / 32 / each;
  for (u32 r = 0; r < registers; ++r)
    for (u32 e = 0; e < each; ++e)
      b.set(group, r * 4 * each + in_group * each + e,
            element(reinterpret_cast<const u8*>(&lane.b[r]) + e * bytes_of(how.b), how.b));
}

void finish(Operands* const* all, u32) {
  const Mma& how = *all[0]->how;
  MatrixOperand a(how.m, how.k), b(8, how.k);
  for (u32 lane = 0; lane < 32; ++lane) {
    read_a(*all[lane], lane, a);
    read_b(*all[lane], lane, b);
  }
  const bool narrow = how.c == Element::f16;
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < how.m / 4; ++i) {
      const u32 row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      const u32 c = narrow ? read<u16>(reinterpret_cast<const u8*>(all[lane]->c) + 2 * i) : all[lane]->c[i];
      const u32 d = dot_as(how.c, a, row, b, column, c, wide_sum, false);
      if (narrow)
        write(reinterpret_cast<u8*>(all[lane]->d) + 2 * i, static_cast<u16>(d));
      else
        all[lane]->d[i] = d;
    }
}

}  // namespace

void multiply(Thread* t, int line, const Mma& how, const u32* a, const u32* b, const u32* c, u32* d) {
  Operands mine{&how, a, b, c, d};
  meet<Operands>(t, line, all_lanes, "mma.sync", mine, &finish);
}

void multiply_f64(Thread* t, int line, const Mma& how, const double* a, const double* b, const double* c,
                  double* d) {
  struct Doubles {
    const Mma* how;
    const double *a, *b, *c;
    double* d;
  } mine{&how, a, b, c, d};
  meet<Doubles>(t, line, all_lanes, "mma.sync", mine, [](Doubles* const* all, u32) {
    const Mma& how = *all[0]->how;
    const u32 rows = how.m / 8;
    double left[16][16], right[16][8];
    for (u32 lane = 0; lane < 32; ++lane) {
      const u32 group = lane / 4, in_group = lane % 4;
      for (u32 r = 0; r < how.m * how.k / 32; ++r)
        left[group + 8 * (r % rows)][(r / rows) * 4 + in_group] = all[lane]->a[r];
      for (u32 r = 0; r < how.k * 8 / 32; ++r) right[r * 4 + in_group][group] = all[lane]->b[r];
    }
    for (u32 lane = 0; lane < 32; ++lane)
      for (u32 i = 0; i < how.m / 4; ++i) {
        double sum = all[lane]->c[i];
        for (u32 k = 0; k < how.k; ++k)
          sum = __builtin_fma(left[lane / 4 + 8 * (i / 2)][k], right[k][2 * (lane % 4) + i % 2], sum);
        all[lane]->d[i] = sum;
      }
  });
}

}  // namespace podium::ptx
