// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sync of floats: D = A B + C, A row-major, B column-major, over a warp's fragments. They are added as an
// H200 adds them, which the ISA (9.7.14.5) leaves open: those of f16, bf16 and tf32 as wgmma's, products.hpp.
// For fp8 it has no instruction of a warp and makes two of f16: from zero, one of the lower two numbers of
// each register, on top of it one of the upper two; C is then added by itself.
#include <array>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/row_products.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, most_rows = 16, columns = 8;

struct Operands {
  const Mma* how;
  const u32 *a, *b, *c;
  u32* d;
};

// The operands, or of each of their registers `count` elements from `first` on. Where a register of a lane
// lies: rows r % 2 apart by 8, then columns (PTX ISA, figures of mma.m16n8k*).
struct Matrices {
  Matrices(Operands* const* all, u32 first, u32 count);
  MatrixOperand a, b;
};

Matrices::Matrices(Operands* const* all, u32 first, u32 count)
    : a(all[0]->how->m, all[0]->how->k * bytes_of(all[0]->how->a) * count / 4),
      b(columns, all[0]->how->k * bytes_of(all[0]->how->b) * count / 4) {
  const Mma& how = *all[0]->how;
  const u32 size = bytes_of(how.a), rows = how.m / 8, registers_b = how.k * size / 16,
            registers_a = registers_b * rows;
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 group = lane / 4, in_group = lane % 4;
    const auto set = [&](MatrixOperand& matrix, u32 row, u32 block, const u32& word, Element type) {
      for (u32 e = 0; e < count; ++e)
        matrix.set(row, (block * 4 + in_group) * count + e,
                   element(reinterpret_cast<const u8*>(&word) + (first + e) * size, type));
    };
    for (u32 r = 0; r < registers_a; ++r) set(a, group + 8 * (r % rows), r / rows, all[lane]->a[r], how.a);
    for (u32 r = 0; r < registers_b; ++r) set(b, group, r, all[lane]->b[r], how.b);
  }
}

void finish(Operands* const* all, u32) {
  const Mma& how = *all[0]->how;
  const bool fp8 = bytes_of(how.a) == 1, narrow = how.c == Element::f16;
  std::array<std::array<u32, most_rows>, columns> c, d;
  const auto each_element = [&](auto f) {
    for (u32 lane = 0; lane < 32; ++lane)
      for (u32 i = 0; i < how.m / 4; ++i) f(lane, i, 2 * (lane % 4) + i % 2, lane / 4 + 8 * (i / 2));
  };
  each_element([&](u32 lane, u32 i, u32 column, u32 row) {
    c[column][row] = narrow ? read<u16>(reinterpret_cast<const u8*>(all[lane]->c) + 2 * i) : all[lane]->c[i];
    d[column][row] = fp8 ? 0 : c[column][row];
  });
  const auto add = [&](u32 first, u32 count) {
    const Matrices part(all, first, count);
    const Columns rows(part.a);  // more of them than there are columns of B
    for (u32 column = 0; column < columns; ++column)
      row_of_products(how.c, part.b, column, rows, 0, how.m, d[column].data(), wide_sum, false);
  };
  if (fp8) add(0, 2);
  add(fp8 ? 2 : 0, fp8 ? 2 : 4 / bytes_of(how.a));
  each_element([&](u32 lane, u32 i, u32 column, u32 row) {
    const u32 sum = fp8 ? sum_of(how.c, d[column][row], c[column][row]) : d[column][row];
    if (narrow)
      write(reinterpret_cast<u8*>(all[lane]->d) + 2 * i, static_cast<u16>(sum));
    else
      all[lane]->d[i] = sum;
  });
}

}  // namespace

void multiply(Thread* t, int line, const Mma& how, const u32* a, const u32* b, const u32* c, u32* d,
              const char* what) {
  Operands mine{&how, a, b, c, d};
  meet<Operands>(t, line, all_lanes, what, mine, &finish);
}

void multiply_f64(Thread* t, int line, const Mma& how, const double* a, const double* b, const double* c,
                  double* d, Rounding mode, const char* what) {
  struct Doubles {
    const Mma* how;
    Rounding mode;
    const double *a, *b, *c;
    double* d;
  } mine{&how, mode, a, b, c, d};
  meet<Doubles>(t, line, all_lanes, what, mine, [](Doubles* const* all, u32) {
    const Mma& how = *all[0]->how;
    const Rounding mode = all[0]->mode;
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
        for (u32 k = 0; k < how.k; ++k) {
          const f64 x = left[lane / 4 + 8 * (i / 2)][k], y = right[k][2 * (lane % 4) + i % 2];
          sum = mode == Rounding::nearest ? fma(x, y, sum) : rounded(Operation::fma, mode, x, y, sum);
        }
        all[lane]->d[i] = sum;
      }
  });
}

}  // namespace podium::ptx
