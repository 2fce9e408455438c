// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sync: D = A B + C, A row-major, B column-major, over a warp's fragments. Products are summed in float
// in the order of k; hardware's order and width of the sum are its own, so results agree to its accumulator's
// precision.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff;
constexpr u32 most_k = 128;

struct Operands {
  const Mma* how;
  const u32 *a, *b, *c;
  u32* d;
};

// Where a fragment's register of a lane lies: rows r % 2 apart by 8, then columns (PTX ISA, figures of
// mma.m16n8k*).
void read_a(const Operands& lane, u32 number, std::array<std::array<f32, most_k>, 16>& a) {
  const Mma& how = *lane.how;
  const u32 each = 4 / bytes_of(how.a), group = number / 4, in_group = number % 4;
  const u32 rows = how.m / 8, registers = how.m * how.k / 32 / each;
  for (u32 r = 0; r < registers; ++r)
    for (u32 e = 0; e < each; ++e)
      a[group + 8 * (r % rows)][(r / rows) * 4 * each + in_group * each + e] =
          element(reinterpret_cast<const u8*>(&lane.a[r]) + e * bytes_of(how.a), how.a);
}
void read_b(const Operands& lane, u32 number, std::array<std::array<f32, 8>, most_k>& b) {
  const Mma& how = *lane.how;
  const u32 each = 4 / bytes_of(how.b), group = number / 4, in_group = number % 4;
  const u32 registers = 8 * how.k / 32 / each;
  for (u32 r = 0; r < registers; ++r)
    for (u32 e = 0; e < each; ++e)
      b[r * 4 * each + in_group * each + e][group] =
          element(reinterpret_cast<const u8*>(&lane.b[r]) + e * bytes_of(how.b), how.b);
}

void finish(Operands* const* all, u32) {
  const Mma& how = *all[0]->how;
  std::array<std::array<f32, most_k>, 16> a;
  std::array<std::array<f32, 8>, most_k> b;
  for (u32 lane = 0; lane < 32; ++lane) {
    read_a(*all[lane], lane, a);
    read_b(*all[lane], lane, b);
  }
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < how.m / 4; ++i) {
      const u32 row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      if (how.c == Element::s32) {
        u32 sum = all[lane]->c[i];
        for (u32 k = 0; k < how.k; ++k)
          sum += static_cast<u32>(static_cast<s32>(a[row][k]) * static_cast<s32>(b[k][column]));
        all[lane]->d[i] = sum;
      } else if (how.c == Element::f16) {
        f32 sum = float_of(read<f16>(reinterpret_cast<const u8*>(all[lane]->c) + 2 * i));
        for (u32 k = 0; k < how.k; ++k) sum += a[row][k] * b[k][column];
        write(reinterpret_cast<u8*>(all[lane]->d) + 2 * i, half_of(sum));
      } else {
        f32 sum = float_of(all[lane]->c[i]);
        for (u32 k = 0; k < how.k; ++k) sum += a[row][k] * b[k][column];
        all[lane]->d[i] = bits<u32>(canonical(sum));
      }
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
