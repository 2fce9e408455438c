// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sync of integers of 8, 4 and 1 bits: PTX ISA 9.7.14.5.14. All fragments lie alike: a register holds
// neighbours along k, four lanes side by side, and A's rows are eight apart from register to register.
#include <algorithm>
#include <array>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff;
constexpr u32 most_rows = 16, most_k = 256;

struct Operands {
  const MmaIntegers* how;
  const u32 *a, *b, *c;
  u32* d;
};

s32 element(u32 word, u32 number, u32 width, bool is_signed) {
  const u32 code = word >> (number * width) & ((1u << width) - 1);
  const bool negative = is_signed && code >> (width - 1) != 0;
  return static_cast<s32>(negative ? code | ~((1u << width) - 1) : code);
}

s32 product(const MmaIntegers& how, s32 a, s32 b) {
  switch (how.product) {
    case BitProduct::exclusive:
      return a ^ b;
    case BitProduct::both:
      return a & b;
    default:
      return a * b;
  }
}

void finish(Operands* const* all, u32) {
  const MmaIntegers& how = *all[0]->how;
  const u32 each = 32 / how.width, high = how.m / 8;
  std::array<std::array<s32, most_k>, most_rows> a;
  std::array<std::array<s32, most_k>, 8> b;  // columns
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 group = lane / 4, begin = lane % 4 * each;
    for (u32 r = 0; r < how.m * how.k / 32 / each; ++r)
      for (u32 e = 0; e < each; ++e)
        a[group + 8 * (r % high)][r / high * 4 * each + begin + e] =
            element(all[lane]->a[r], e, how.width, how.a_signed);
    for (u32 r = 0; r < 8 * how.k / 32 / each; ++r)
      for (u32 e = 0; e < each; ++e)
        b[group][r * 4 * each + begin + e] = element(all[lane]->b[r], e, how.width, how.b_signed);
  }
  for (u32 lane = 0; lane < 32; ++lane)
    for (u32 i = 0; i < how.m / 4; ++i) {
      const u32 row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      s64 sum = static_cast<s32>(all[lane]->c[i]);
      for (u32 k = 0; k < how.k; ++k) sum += product(how, a[row][k], b[column][k]);
      if (how.saturate) sum = std::clamp<s64>(sum, INT32_MIN, INT32_MAX);
      all[lane]->d[i] = static_cast<u32>(sum);
    }
}

}  // namespace

void multiply_integers(Thread* t, int line, const MmaIntegers& how, const u32* a, const u32* b, const u32* c,
                       u32* d, const char* what) {
  Operands mine{&how, a, b, c, d};
  meet<Operands>(t, line, all_lanes, what, mine, &finish);
}

}  // namespace podium::ptx
