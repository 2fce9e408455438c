// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Operands from other lanes (DPP) on instructions of every encoding that can have them, with lanes that are
// switched off, against what the words of AMD's instruction set guides say of each control.
// "lanes break" expects one wrong result, and must be told so.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "instruction_kernels.hpp"

using Word = std::uint32_t;

constexpr Word kept = 0xdeadbeef;  // in the destination before

// text: an instruction of %0 and of a, b, c as %1, %2, %3. Some: two lanes in three are on.
#define CROSS(name, text)                                                                  \
  template <bool Some>                                                                     \
  __global__ void name(Operands x) {                                                       \
    const int i = int(blockIdx.x * blockDim.x + threadIdx.x);                              \
    Word a = x.a[i], b = x.b[i], c = x.c[i], d = kept;                                     \
    asm volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d)); /* in registers of all lanes */ \
    if (!Some || threadIdx.x % 3 != 0)                                                     \
      asm volatile("s_nop 4\n" text : "+v"(d) : "v"(a), "v"(b), "v"(c) : "vcc");           \
    x.out[i] = d;                                                                          \
  }
#define ALL " row_mask:0xf bank_mask:0xf"

CROSS(order_in_four, "v_mov_b32_dpp %0, %1 quad_perm:[1,3,0,2]" ALL)
CROSS(shift_left, "v_mov_b32_dpp %0, %1 row_shl:5" ALL)
CROSS(shift_left_or_zero, "v_mov_b32_dpp %0, %1 row_shl:5" ALL " bound_ctrl:1")
CROSS(shift_right_of_some_rows, "v_mov_b32_dpp %0, %1 row_shr:3 row_mask:0x5 bank_mask:0x6")
CROSS(rotate_and_add, "v_add_f32_dpp %0, %1, %2 row_ror:7" ALL)
CROSS(mirror_negated, "v_add_f32_dpp %0, -%1, |%2| row_mirror" ALL " bound_ctrl:1")
CROSS(half_mirror, "v_xor_b32_dpp %0, %1, %2 row_half_mirror" ALL)
#if TARGET < 0x1000  // gfx9
CROSS(wave_left, "v_mov_b32_dpp %0, %1 wave_shl:1" ALL)
CROSS(wave_rotated, "v_mov_b32_dpp %0, %1 wave_ror:1" ALL)
CROSS(last_of_row, "v_mov_b32_dpp %0, %1 row_bcast:15" ALL)
CROSS(lane_31, "v_mov_b32_dpp %0, %1 row_bcast:31" ALL " bound_ctrl:1")
CROSS(one_of_row, "v_mov_b32_dpp %0, %1 row_newbcast:9" ALL)
#else
CROSS(one_of_row, "v_mov_b32_dpp %0, %1 row_share:9" ALL)
CROSS(exclusive_or, "v_mov_b32_dpp %0, %1 row_xmask:6" ALL)
CROSS(also_of_lanes_off, "v_mov_b32_dpp %0, %1 row_ror:1" ALL " fi:1")
#define EIGHT " dpp8:[7,0,6,1,5,2,4,3]"
CROSS(eight_vop1, "v_mov_b32_dpp %0, %1" EIGHT)
CROSS(eight_vop2, "v_xor_b32_dpp %0, %1, %2" EIGHT)
CROSS(eight_also_of_lanes_off, "v_mov_b32_dpp %0, %1" EIGHT " fi:1")
CROSS(eight_compare, "v_cmp_lt_u32_dpp vcc_lo, %1, %2" EIGHT "\n v_cndmask_b32_e64 %0, 3, 5, vcc_lo")
CROSS(vop3_add3, "v_add3_u32_e64_dpp %0, %1, %2, %3 row_mirror" ALL)
CROSS(vop3_shift, "v_add3_u32_e64_dpp %0, %1, %2, %3 row_shr:2" ALL)
CROSS(vop3_shift_or_zero, "v_add3_u32_e64_dpp %0, %1, %2, %3 row_shr:2" ALL " bound_ctrl:1")
CROSS(vop3_fma, "v_fma_f32_e64_dpp %0, -%1, |%2|, -%3 row_ror:11" ALL)
CROSS(vop3_eight, "v_add3_u32_e64_dpp %0, %1, %2, %3" EIGHT)
CROSS(vop3_eight_fma, "v_fma_f32_e64_dpp %0, %1, -%2, |%3|" EIGHT)
CROSS(vop3_compare,
      "v_cmp_lt_u32_e64_dpp vcc_lo, %1, %2 row_ror:3" ALL "\n v_cndmask_b32_e64 %0, 3, 5, vcc_lo")
CROSS(vop3_eight_compare, "v_cmp_lt_u32_e64_dpp vcc_lo, %1, %2" EIGHT "\n v_cndmask_b32_e64 %0, 3, 5, vcc_lo")
CROSS(vop3p_dot2, "v_dot2_f32_f16_e64_dpp %0, %1, %2, %3 quad_perm:[3,2,1,0]" ALL)
CROSS(vop3p_dot2_eight, "v_dot2_f32_f16_e64_dpp %0, %1, %2, %3" EIGHT)
#endif

struct Test {
  const char* name;
  void (*all)(Operands);
  void (*some)(Operands);
  int (*from)(int lane, int lanes);  // -1: no lane
  Word (*result)(Word a, Word b, Word c);
  // Of a source that is no lane or is off: the result is that of zero, or there is none; or lanes that are
  // off are read as they are.
  enum { none, zero, off_too } missing = none;
  bool (*writes)(int lane) = [](int) { return true; };
};
#define BOTH(name) name<false>, name<true>

constexpr int eight[] = {7, 0, 6, 1, 5, 2, 4, 3};
int of_eight(int l, int) { return l / 8 * 8 + eight[l % 8]; }
int right_by_two(int l, int) { return l % 16 < 2 ? -1 : l - 2; }
int left_by_five(int l, int) { return l % 16 + 5 > 15 ? -1 : l + 5; }
// A lane takes what is `n` lanes to its left, around the end of its row of 16.
template <int n>
int rotated(int l, int) {
  return l / 16 * 16 + (l + 16 - n) % 16;
}
int mirrored(int l, int) { return l / 16 * 16 + 15 - l % 16; }
Word only_a(Word a, Word, Word) { return a; }
Word sum(Word a, Word b, Word c) { return a + b + c; }
Word difference(Word a, Word b, Word) { return a ^ b; }
Word less(Word a, Word b, Word) { return a < b ? 5 : 3; }
float f(Word x) { return as<float>(x); }
Word u(float x) { return as<Word>(x); }
float product(Word a, Word b, int h) {
  const auto half = [&](Word x) { return float(as<_Float16>(std::uint16_t(x >> (16 * h)))); };
  return half(a) * half(b);
}
// Sums of f16's products know no denormals of f32.
Word without_denormals(Word x) { return x & 0x7f800000 ? x : x & 0x80000000; }
Word dot2(Word a, Word b, Word c) {
  return without_denormals(u(f(without_denormals(c)) + product(a, b, 0) + product(a, b, 1)));
}

const Test tests[] = {
    {"v_mov_b32 quad_perm", BOTH(order_in_four),
     [](int l, int) {
       constexpr int order[] = {1, 3, 0, 2};
       return l / 4 * 4 + order[l % 4];
     },
     only_a},
    {"v_mov_b32 row_shl", BOTH(shift_left), left_by_five, only_a},
    {"v_mov_b32 row_shl bound_ctrl", BOTH(shift_left_or_zero), left_by_five, only_a, Test::zero},
    {"v_mov_b32 row_shr of some rows and banks", BOTH(shift_right_of_some_rows),
     [](int l, int) { return l % 16 < 3 ? -1 : l - 3; }, only_a, Test::none,
     [](int l) { return l / 16 % 2 == 0 && (l % 16 / 4 == 1 || l % 16 / 4 == 2); }},
    {"v_add_f32 row_ror", BOTH(rotate_and_add), rotated<7>,
     [](Word a, Word b, Word) { return u(f(a) + f(b)); }},
    {"v_add_f32 row_mirror with signs", BOTH(mirror_negated), mirrored,
     [](Word a, Word b, Word) { return u(-f(a) + std::fabs(f(b))); }, Test::zero},
    {"v_xor_b32 row_half_mirror", BOTH(half_mirror), [](int l, int) { return l / 8 * 8 + 7 - l % 8; },
     difference},
#if TARGET < 0x1000
    {"v_mov_b32 wave_shl", BOTH(wave_left), [](int l, int lanes) { return l + 1 < lanes ? l + 1 : -1; },
     only_a},
    {"v_mov_b32 wave_ror", BOTH(wave_rotated), [](int l, int lanes) { return (l + lanes - 1) % lanes; },
     only_a},
    {"v_mov_b32 row_bcast:15", BOTH(last_of_row), [](int l, int) { return l / 16 * 16 - 1; }, only_a},
    {"v_mov_b32 row_bcast:31", BOTH(lane_31), [](int l, int) { return l < 32 ? -1 : 31; }, only_a,
     Test::zero},
    {"v_mov_b32 row_newbcast", BOTH(one_of_row), [](int l, int) { return l / 16 * 16 + 9; }, only_a},
#else
    {"v_mov_b32 row_share", BOTH(one_of_row), [](int l, int) { return l / 16 * 16 + 9; }, only_a},
    {"v_mov_b32 row_xmask", BOTH(exclusive_or), [](int l, int) { return l ^ 6; }, only_a},
    {"v_mov_b32 fi", BOTH(also_of_lanes_off), rotated<1>, only_a, Test::off_too},
    {"v_mov_b32 dpp8", BOTH(eight_vop1), of_eight, only_a, Test::zero},
    {"v_xor_b32 dpp8", BOTH(eight_vop2), of_eight, difference, Test::zero},
    {"v_mov_b32 dpp8 fi", BOTH(eight_also_of_lanes_off), of_eight, only_a, Test::off_too},
    {"v_cmp_lt_u32 dpp8", BOTH(eight_compare), of_eight, less, Test::zero},
    {"v_add3_u32 row_mirror", BOTH(vop3_add3), mirrored, sum},
    {"v_add3_u32 row_shr", BOTH(vop3_shift), right_by_two, sum},
    {"v_add3_u32 row_shr bound_ctrl", BOTH(vop3_shift_or_zero), right_by_two, sum, Test::zero},
    {"v_fma_f32 row_ror with signs", BOTH(vop3_fma), rotated<11>,
     [](Word a, Word b, Word c) { return u(std::fma(-f(a), std::fabs(f(b)), -f(c))); }},
    {"v_add3_u32 dpp8", BOTH(vop3_eight), of_eight, sum, Test::zero},
    {"v_fma_f32 dpp8 with signs", BOTH(vop3_eight_fma), of_eight,
     [](Word a, Word b, Word c) { return u(std::fma(f(a), -f(b), std::fabs(f(c)))); }, Test::zero},
    {"v_cmp_lt_u32_e64 dpp8", BOTH(vop3_eight_compare), of_eight, less, Test::zero},
    {"v_dot2_f32_f16 quad_perm", BOTH(vop3p_dot2), [](int l, int) { return l ^ 3; }, dot2},
    {"v_dot2_f32_f16 dpp8", BOTH(vop3p_dot2_eight), of_eight, dot2, Test::zero},
#endif
};

#if TARGET >= 0x1000
// Where a comparison's lane has no source the bit of its result is not what is tested: only with all lanes
// on.
const Test compared = {"v_cmp_lt_u32_e64 row_ror", BOTH(vop3_compare), rotated<3>, less};
#endif

// Numbers that are exact in f16 as in f32, so that no rounding or NaN is in what is tested.
std::vector<Word> operands(std::mt19937& random) {
  std::vector<Word> all(count);
  for (auto& x : all) {
    const auto half = [&] { return as<std::uint16_t>(_Float16(float(int(random() % 129)) - 64)); };
    x = Word(half()) | Word(half()) << 16;
  }
  return all;
}

Word* on_device(const std::vector<Word>& x) {
  void* at = nullptr;
  if (hipMalloc(&at, x.size() * 4) != hipSuccess ||
      hipMemcpy(at, x.data(), x.size() * 4, hipMemcpyDefault) != hipSuccess)
    std::abort();
  return static_cast<Word*>(at);
}

int main(int argc, char**) {
  std::mt19937 random(20240611);
  const auto a = operands(random), b = operands(random), c = operands(random);
  hipDeviceProp_t properties{};
  std::uint64_t* out = nullptr;
  if (hipMalloc(&out, count * sizeof *out) != hipSuccess ||
      hipGetDeviceProperties(&properties, 0) != hipSuccess)
    return 2;
  const int lanes = properties.warpSize;
  const Operands x{on_device(a), on_device(b), on_device(c), out};
  int failed = 0, made = 0;
  const auto run = [&](const Test& test, bool some, bool broken) {
    (some ? test.some : test.all)<<<count / 256, 256>>>(x);
    std::vector<std::uint64_t> found(count);
    ++made;
    if (hipMemcpy(found.data(), out, count * sizeof *out, hipMemcpyDefault) != hipSuccess) {
      std::printf("FAILED %s: %s\n", test.name, hipGetErrorString(hipGetLastError()));
      std::exit(1);
    }
    if (broken) found[count / 2] ^= 1;
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
      const auto on = [&](int at) { return !some || at % 256 % 3 != 0; };
      const int l = i % lanes, q = test.from(l, lanes);
      const bool there = q >= 0 && (on(i - l + q) || test.missing == Test::off_too);
      Word expected = kept;
      if (on(i) && test.writes(l) && (there || test.missing == Test::zero))
        expected = test.result(there ? a[i - l + q] : 0, b[i], c[i]);
      if (found[i] == expected) continue;
      if (wrong++ == 0)
        std::printf("FAILED %s%s, lane %d of %d: found %llx, expected %x\n", test.name,
                    some ? " of some lanes" : "", l, lanes, static_cast<unsigned long long>(found[i]),
                    expected);
    }
    failed += wrong > 0;
  };
  for (const Test& test : tests)
    for (const bool some : {false, true}) run(test, some, argc > 1 && &test == tests && !some);
#if TARGET >= 0x1000
  run(compared, false, false);
#endif
  std::printf("%d forms, %d operands each, %d failed\n", made, count, failed);
  return failed > 0;
}
