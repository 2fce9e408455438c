// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.m8n8k4 of f16, which is Volta's: later devices make it of single operations, and so does this. ptxas
// 13.0's for sm_90a (nvdisasm shows them) add in f32, each step rounded: where D is f32, products one after
// the other and then C; where it is f16, to C the sum of the first two, then that of the others.
#include <array>

#include "emulators/nvidia/device/floating.hpp"
#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, upper_half = 16, depth = 4, size = 8, quads = 4;

struct Operands {
  const QuadMma* how;
  const u32 *a, *b, *c;
  u32* d;
};

struct Place {
  u32 row, column;
};
// Of element i of C or D of a lane in its product.
Place place(bool narrow, u32 lane, u32 i) {
  const u32 high = lane < upper_half ? 0 : 4;
  if (narrow) return {lane % 4 + high, i};
  return {(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
}

f32 half_in(const u32* words, u32 i) { return float_of(f16{static_cast<u16>(words[i / 2] >> 16 * (i % 2))}); }

void finish(Operands* const* all, u32) {
  const QuadMma& how = *all[0]->how;
  for (u32 quad = 0; quad < quads; ++quad) {
    std::array<std::array<f32, depth>, size> a{}, b{};  // by rows of A, by columns of B
    std::array<std::array<f32, size>, size> c{};
    const auto each_lane_of = [&](auto f) {
      for (const u32 half : {0u, upper_half})
        for (u32 i = 0; i < 4; ++i) f(half + 4 * quad + i);
    };
    each_lane_of([&](u32 lane) {
      const u32 high = lane < upper_half ? 0 : 4;
      for (u32 i = 0; i < depth; ++i) {
        const f32 of_a = half_in(all[lane]->a, i), of_b = half_in(all[lane]->b, i);
        (how.a_by_columns ? a[i + high][lane % 4] : a[lane % 4 + high][i]) = of_a;
        (how.b_by_rows ? b[i + high][lane % 4] : b[lane % 4 + high][i]) = of_b;
      }
      for (u32 i = 0; i < size; ++i) {
        const Place at = place(how.narrow_c, lane, i);
        c[at.row][at.column] = how.narrow_c ? half_in(all[lane]->c, i) : float_of(all[lane]->c[i]);
      }
    });
    each_lane_of([&](u32 lane) {
      for (u32 i = 0; i < size; ++i) {
        const Place at = place(how.narrow_d, lane, i);
        const auto &x = a[at.row], &y = b[at.column];
        const f32 addend = c[at.row][at.column];
        if (!how.narrow_d) {
          f32 sum = 0;
          for (u32 k = 0; k < depth; ++k) sum = fma(x[k], y[k], sum);
          all[lane]->d[i] = bits<u32>(add(addend, sum));
          continue;
        }
        const f32 first = fma(x[1], y[1], mul(x[0], y[0])), second = fma(x[3], y[3], mul(x[2], y[2]));
        const u32 sum = half_of(add(add(addend, first), second)).bits;
        u32& word = all[lane]->d[i / 2];
        word = i % 2 == 0 ? sum : word | sum << 16;
      }
    });
  }
}

}  // namespace

void multiply_quads(Thread* t, int line, const QuadMma& how, const u32* a, const u32* b, const u32* c,
                    u32* d) {
  Operands mine{&how, a, b, c, d};
  meet<Operands>(t, line, all_lanes, "mma.sync", mine, &finish);
}

}  // namespace podium::ptx
