// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What each instruction should give, from the words of AMD's instruction set guides.
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "instruction_kernels.hpp"

using Word = std::uint32_t;

struct Test {
  const char* name;
  void (*kernel)(Operands);
  int bits;  // of the floating-point numbers in the result; 1: it has none
  std::uint64_t (*expected)(Word a, Word b, Word c);
};

float f(std::uint32_t x) { return as<float>(x); }
std::uint64_t u(float x) { return as<std::uint32_t>(x); }
_Float16 half(std::uint32_t x, int h) { return as<_Float16>(std::uint16_t(x >> (16 * h))); }
std::uint64_t halves(_Float16 low, _Float16 high) {
  return as<std::uint16_t>(low) | std::uint64_t(as<std::uint16_t>(high)) << 16;
}

// minNum and maxNum, with -0 below +0.
float least(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
float greatest(float a, float b) {
  if (std::isnan(a)) return b;
  if (std::isnan(b)) return a;
  return a > b || (a == b && !std::signbit(a)) ? a : b;
}
float middle(float a, float b, float c) {
  if (std::isnan(a) || std::isnan(b) || std::isnan(c)) return least(least(a, b), c);
  return greatest(least(a, b), least(greatest(a, b), c));
}
std::int32_t to_signed(float x) {
  if (std::isnan(x)) return 0;
  return x >= 0x1p31F   ? std::numeric_limits<std::int32_t>::max()
         : x < -0x1p31F ? std::numeric_limits<std::int32_t>::min()
                        : std::int32_t(x);
}
std::uint32_t to_unsigned(float x) { return !(x > 0) ? 0 : x >= 0x1p32F ? ~0u : std::uint32_t(x); }
std::int32_t i24(std::uint32_t x) { return std::int32_t(x << 8) >> 8; }
// As the host's processor rounds.
template <class Operation>
std::uint64_t rounded(int mode, Operation operation) {
  const int before = std::fegetround();
  std::fesetround(mode);
  const volatile float result = operation();
  std::fesetround(before);
  return u(result);
}
float summed(std::uint32_t a, std::uint32_t b) {
  const volatile float x = f(a), y = f(b);
  return x + y;
}
float multiplied(std::uint32_t a, std::uint32_t b) {
  const volatile float x = f(a), y = f(b);
  return x * y;
}
// Products too small for a normal number before they are rounded are 0.
std::uint64_t flushed_product(std::uint32_t a, std::uint32_t b) {
  const double exact = double(f(a)) * double(f(b));
  return std::fabs(exact) < 0x1p-126 ? u(std::copysign(0.F, float(std::copysign(1.0, exact))))
                                     : u(multiplied(a, b));
}
std::uint32_t without_denormals(std::uint32_t x) { return x & 0x7f800000 ? x : x & 0x80000000; }
std::uint64_t expected_frexp_mant_f32(Word a, Word, Word) {
  int e = 0;
  return u(std::isfinite(f(a)) ? std::frexp(f(a), &e) : f(a));
}
std::uint64_t expected_frexp_exp_f32(Word a, Word, Word) {
  int e = 0;
  if (std::isfinite(f(a))) std::frexp(f(a), &e);
  return std::uint32_t(e);
}
std::uint64_t expected_bfe_u32(Word a, Word b, Word c) {
  const auto n = c & 31;
  return n ? a >> (b & 31) & ((1u << n) - 1) : 0;
}
std::uint64_t expected_bfe_i32(Word a, Word b, Word c) {
  const int n = c & 31, from = b & 31;
  if (n == 0) return 0;
  const std::uint64_t wide = std::uint64_t(std::int64_t(std::int32_t(a)) >> from);
  return from + n >= 32 ? std::uint32_t(wide) : std::uint32_t(std::int64_t(wide << (64 - n)) >> (64 - n));
}
std::uint64_t expected_perm_b32(Word a, Word b, Word c) {
  const std::uint64_t all = std::uint64_t(a) << 32 | b;
  std::uint32_t r = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned s = c >> (8 * i) & 255;
    const unsigned byte = s < 8     ? all >> (8 * s) & 255
                          : s < 12  ? (all >> (16 * (s - 8) + 15) & 1 ? 255u : 0u)
                          : s == 12 ? 0u
                                    : 255u;
    r |= byte << (8 * i);
  }
  return r;
}
std::uint64_t expected_sad_u8(Word a, Word b, Word c) {
  std::uint32_t sum = c;
  for (int i = 0; i < 32; i += 8) sum += std::uint32_t(std::abs(int(a >> i & 255) - int(b >> i & 255)));
  return sum;
}
// Classes in the order of their bits: signalling and quiet NaN; -infinity, -normal, -denormal, -0; +0 and so
// on.
std::uint64_t expected_class(Word number, int bits, int mantissa, Word mask) {
  const Word fraction = number & ((1u << mantissa) - 1), exponents = (1u << (bits - 1 - mantissa)) - 1;
  const Word exponent = number >> mantissa & exponents;
  const bool negative = number >> (bits - 1) & 1;
  if (exponent == exponents && fraction != 0) return mask >> (fraction >> (mantissa - 1) & 1) & 1;
  const int size = exponent == exponents ? 3 : exponent != 0 ? 2 : fraction != 0 ? 1 : 0;
  return mask >> (negative ? 5 - size : 6 + size) & 1;
}
std::uint64_t expected_bfrev(Word a, Word, Word) {
  std::uint32_t r = 0;
  for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}
std::uint64_t expected_bcnt(Word a, Word b, Word) {
  std::uint32_t n = b;
  for (int i = 0; i < 32; ++i) n += a >> i & 1;
  return n;
}
std::uint64_t expected_fma_f64(Word a, Word b, Word c) {
  const double x = as<double>(std::uint64_t(a) << 32 | b), y = as<double>(std::uint64_t(b) << 32 | c);
  return as<std::uint64_t>(std::fma(x, y, as<double>(std::uint64_t(c) << 32 | a)));
}
// Of elements of `bits` bits, modulo 2^32.
std::uint64_t dot(Word a, Word b, Word c, int bits, bool a_signed, bool b_signed) {
  const auto element = [&](Word x, int at, bool is_signed) {
    const int value = int(x >> at & ((1u << bits) - 1));
    return std::int64_t(is_signed && value >> (bits - 1) ? value - (1 << bits) : value);
  };
  std::int64_t sum = c;
  for (int i = 0; i < 32; i += bits) sum += element(a, i, a_signed) * element(b, i, b_signed);
  return Word(sum);
}
float product(Word a, Word b, int h) { return float(half(a, h)) * float(half(b, h)); }
// Sums of f16's products know no denormals of f32; the products themselves are none.
std::uint64_t summed_products(Word a, Word b, Word c, float sign) {
  return without_denormals(
      u(sign * f(without_denormals(c)) + sign * product(a, b, 0) + sign * product(a, b, 1)));
}
// E4M3: of gfx942 without negative zero, and with one more in the bias.
float eight_bits(Word x) {
  constexpr bool fnuz = TARGET == 0x942;
  if (fnuz ? x == 0x80 : (x & 0x7f) == 0x7f) return NAN;
  const int exponent = int(x >> 3 & 15), fraction = int(x & 7), bias = fnuz ? 8 : 7;
  const float size =
      std::ldexp(float(exponent ? fraction + 8 : fraction), (exponent ? exponent : 1) - bias - 3);
  return x & 0x80 ? -size : size;
}
// E5M2 by its neighbours among all that there are: the nearest, of two the even one. Too large: infinity, or
// where there is none, NaN.
Word to_eight_bits(Word x) {
  constexpr bool fnuz = TARGET == 0x942;
  constexpr int bias = fnuz ? 16 : 15;
  constexpr Word beyond = fnuz ? 0x80 : 0x7c;
  const auto size = [](Word y) {
    const int exponent = int(y >> 2), fraction = int(y & 3);
    return std::ldexp(double(exponent ? fraction + 4 : fraction), (exponent ? exponent : 1) - bias - 2);
  };
  const double value = std::fmin(std::fabs(double(f(x))), size(beyond));
  Word best = 0;
  for (Word y = 1; y <= beyond; ++y) {
    const double nearer = std::fabs(value - size(best)) - std::fabs(value - size(y));
    if (nearer > 0 || (nearer == 0 && y % 2 == 0)) best = y;
  }
  if (fnuz && (best == 0 || best == beyond)) return best;
  return best | (x >> 31 ? 0x80 : 0);
}
Word expected_through_pointers(Word a, Word b, Word c) {
  const auto either = [&](bool multiplies) { return Word(multiplies ? a * b : a + b); };
  return c % 3 == 2 ? either(b & 1) ^ a : either(c % 3 == 1);
}
// Each bit of the result: bit 4 a + 2 b + c of 0x1b.
Word by_table(Word a, Word b, Word c) {
  Word result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (0x1bu >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
  return result;
}

#define OF(value)                                                                                  \
  []([[maybe_unused]] Word a, [[maybe_unused]] Word b, [[maybe_unused]] Word c) -> std::uint64_t { \
    return value;                                                                                  \
  }
const Test tests[] = {
    {"v_add_f32", add_f32, 32, OF(u(f(a) + f(b)))},
    {"v_add_f32 rounded up", add_up, 32, OF(rounded(FE_UPWARD, [&] { return summed(a, b); }))},
    {"v_add_f32 rounded down", add_down, 32, OF(rounded(FE_DOWNWARD, [&] { return summed(a, b); }))},
    {"v_mul_f32 rounded towards zero", mul_towards_zero, 32,
     OF(rounded(FE_TOWARDZERO, [&] { return multiplied(a, b); }))},
    {"v_add_f32 while f64 and f16 are rounded towards zero", add_rounding_others, 32, OF(u(f(a) + f(b)))},
    {"v_mul_f32 without denormals", mul_flushed, 32,
     OF(flushed_product(without_denormals(a), without_denormals(b)))},
    {"v_add_f32 without denormal operands", add_operands_flushed, 32,
     OF(u(summed(without_denormals(a), without_denormals(b))))},
    {"v_mul_f32 without denormal results", mul_results_flushed, 32, OF(flushed_product(a, b))},
    {"v_sub_f32", sub_f32, 32, OF(u(f(a) - f(b)))},
    {"v_mul_f32", mul_f32, 32, OF(u(f(a) * f(b)))},
    {"v_fma_f32", fma_f32, 32, OF(u(std::fma(f(a), f(b), f(c))))},
    {"v_min_f32", min_f32, 32, OF(u(least(f(a), f(b))))},
    {"v_max_f32", max_f32, 32, OF(u(greatest(f(a), f(b))))},
    {"v_med3_f32", med3_f32, 32, OF(u(middle(f(a), f(b), f(c))))},
    {"v_floor_f32", floor_f32, 32, OF(u(std::floor(f(a))))},
    {"v_ceil_f32", ceil_f32, 32, OF(u(std::ceil(f(a))))},
    {"v_trunc_f32", trunc_f32, 32, OF(u(std::trunc(f(a))))},
    {"v_rndne_f32", rndne_f32, 32, OF(u(std::nearbyint(f(a))))},
    {"v_cvt_i32_f32", cvt_i32_f32, 1, OF(std::uint32_t(to_signed(f(a))))},
    {"v_cvt_u32_f32", cvt_u32_f32, 1, OF(to_unsigned(f(a)))},
    {"v_cvt_f32_i32", cvt_f32_i32, 32, OF(u(float(std::int32_t(a))))},
    {"v_cvt_f32_u32", cvt_f32_u32, 32, OF(u(float(a)))},
    {"v_cvt_f16_f32", cvt_f16_f32, 16, OF(halves(_Float16(f(a)), 0))},
    {"v_cmp_class_f16", class_f16, 1, OF(expected_class(a & 0xffff, 16, 10, b & 1023))},
    {"v_cmp_class_f32", class_f32, 1, OF(expected_class(a, 32, 23, b & 1023))},
    {"v_frexp_mant_f32", frexp_mant_f32, 32, OF(expected_frexp_mant_f32(a, b, c))},
    {"v_frexp_exp_i32_f32", frexp_exp_f32, 1, OF(expected_frexp_exp_f32(a, b, c))},
    {"v_ldexp_f32", ldexp_f32, 32, OF(u(std::ldexp(f(a), std::int32_t(b))))},
    {"v_mul_lo_u32", mul_lo_u32, 1, OF(std::uint32_t(a * b))},
    {"v_mul_hi_u32", mul_hi_u32, 1, OF(std::uint64_t(a) * b >> 32)},
    {"v_mul_hi_i32", mul_hi_i32, 1, OF(std::uint32_t(std::int64_t(std::int32_t(a)) * std::int32_t(b) >> 32))},
    {"v_mul_u32_u24", mul_u24, 1, OF(std::uint32_t((a & 0xffffff) * (b & 0xffffff)))},
    {"v_mul_i32_i24", mul_i24, 1, OF(std::uint32_t(std::int64_t(i24(a)) * i24(b)))},
    {"v_mad_u32_u24", mad_u24, 1, OF(std::uint32_t((a & 0xffffff) * (b & 0xffffff) + c))},
    {"v_min_i32", min_i32, 1, OF(std::int32_t(a) < std::int32_t(b) ? a : b)},
    {"v_max_u32", max_u32, 1, OF(a > b ? a : b)},
    {"v_lshlrev_b32", lshlrev, 1, OF(std::uint32_t(b << (a & 31)))},
    {"v_lshrrev_b32", lshrrev, 1, OF(b >> (a & 31))},
    {"v_ashrrev_i32", ashrrev, 1, OF(std::uint32_t(std::int32_t(b) >> (a & 31)))},
    {"v_bfe_u32", bfe_u32, 1, OF(expected_bfe_u32(a, b, c))},
    {"v_bfe_i32", bfe_i32, 1, OF(expected_bfe_i32(a, b, c))},
    {"v_bfi_b32", bfi_b32, 1, OF((a & b) | (~a & c))},
    {"v_alignbit_b32", alignbit, 1, OF(std::uint32_t((std::uint64_t(a) << 32 | b) >> (c & 31)))},
    {"v_perm_b32", perm_b32, 1, OF(expected_perm_b32(a, b, c))},
    {"v_lshl_add_u32", lshl_add, 1, OF(std::uint32_t((a << (b & 31)) + c))},
    {"v_add3_u32", add3, 1, OF(std::uint32_t(a + b + c))},
    {"v_and_or_b32", and_or, 1, OF((a & b) | c)},
    {"v_xad_u32", xad, 1, OF(std::uint32_t((a ^ b) + c))},
    {"v_sad_u8", sad_u8, 1, OF(expected_sad_u8(a, b, c))},
    {"v_bfrev_b32", bfrev, 1, OF(expected_bfrev(a, b, c))},
    {"v_not_b32", not_b32, 1, OF(std::uint32_t(~a))},
    {"v_bcnt_u32_b32", bcnt, 1, OF(expected_bcnt(a, b, c))},
    {"v_pk_add_f16", pk_add_f16, 16,
     OF(halves(_Float16(half(a, 0) + half(b, 0)), _Float16(half(a, 1) + half(b, 1))))},
    {"v_pk_mul_f16", pk_mul_f16, 16,
     OF(halves(_Float16(half(a, 0) * half(b, 0)), _Float16(half(a, 1) * half(b, 1))))},
    {"v_pk_add_u16", pk_add_u16, 1,
     OF(((a + b) & 0xffff) | std::uint64_t(((a >> 16) + (b >> 16)) & 0xffff) << 16)},
    {"v_dot2_f32_f16", dot2_f32_f16, 32, OF(summed_products(a, b, c, 1))},
    {"v_dot2_f32_f16 with signs", dot2_f32_f16_negative, 32, OF(summed_products(a, b, c, -1))},
    {"v_dot4_u32_u8", dot4_u32_u8, 1, OF(dot(a, b, c, 8, false, false))},
    {"v_dot8_u32_u4", dot8_u32_u4, 1, OF(dot(a, b, c, 4, false, false))},
    {"v_dot4_i32", dot4_i32_i8, 1, OF(dot(a, b, c, 8, true, true))},
    {"v_dot8_i32", dot8_i32_i4, 1, OF(dot(a, b, c, 4, true, true))},
#if TARGET < 0x1000
    {"v_dot2_i32_i16", dot2_i32_i16, 1, OF(dot(a, b, c, 16, true, true))},
    {"v_dot2_u32_u16", dot2_u32_u16, 1, OF(dot(a, b, c, 16, false, false))},
#else
    {"v_dot4_i32_iu8", dot2_i32_i16, 1, OF(dot(a, b, c, 8, false, true))},
    {"v_dot8_i32_iu4", dot2_u32_u16, 1, OF(dot(a, b, c, 4, true, false))},
#endif
#if TARGET == 0x1201
    {"s_add_f32", s_add_f32, 32, OF(u(f(a) + f(b)))},
    {"s_sub_f32", s_sub_f32, 32, OF(u(f(a) - f(b)))},
    {"s_mul_f32", s_mul_f32, 32, OF(u(f(a) * f(b)))},
    {"s_fmac_f32", s_fmac_f32, 32, OF(u(std::fma(f(a), f(b), f(c))))},
    {"s_min_num_f32", s_min_f32, 32, OF(u(least(f(a), f(b))))},
    {"s_max_num_f32", s_max_f32, 32, OF(u(greatest(f(a), f(b))))},
    {"s_rndne_f32", s_rndne_f32, 32, OF(u(std::nearbyint(f(a))))},
    {"s_floor_f32", s_floor_f32, 32, OF(u(std::floor(f(a))))},
    {"s_cvt_i32_f32", s_cvt_i32_f32, 1, OF(std::uint32_t(to_signed(f(a))))},
    {"s_cvt_u32_f32", s_cvt_u32_f32, 1, OF(to_unsigned(f(a)))},
    {"s_cvt_f32_i32", s_cvt_f32_i32, 32, OF(u(float(std::int32_t(a))))},
    {"s_cvt_f32_u32", s_cvt_f32_u32, 32, OF(u(float(a)))},
    {"s_cmp_lt_f32", s_cmp_lt_f32, 1, OF(f(a) < f(b))},
    {"s_cmp_nlt_f32", s_cmp_nlt_f32, 1, OF(!(f(a) < f(b)))},
    {"s_cmp_ngt_f32", s_cmp_ngt_f32, 1, OF(!(f(a) > f(b)))},
    {"s_cmp_eq_f32", s_cmp_eq_f32, 1, OF(f(a) == f(b))},
    {"s_cmp_neq_f32", s_cmp_neq_f32, 1, OF(!(f(a) == f(b)))},
    {"s_cmp_u_f32", s_cmp_u_f32, 1, OF(std::isnan(f(a)) || std::isnan(f(b)))},
    {"v_s_exp_f32", s_exp_f32, 32, OF(u(std::exp2(f(a))))},
    {"v_s_exp_f32 in place", s_exp_in_place, 32, OF(u(std::exp2(f(c))))},
#endif
#if TARGET == 0x942 || TARGET == 0x950 || TARGET == 0x1201
    {"v_cvt_f32_fp8", cvt_f32_fp8, 32, OF(u(eight_bits(a >> 24)))},
    {"v_cvt_pk_bf8_f32", cvt_pk_bf8_f32, 1,
     OF((c & 0xffff) | to_eight_bits(number(a)) << 16 | to_eight_bits(number(b)) << 24)},
#endif
#if TARGET == 0x950
    {"v_bitop3_b32", bitop3_b32, 1, OF(by_table(a, b, c))},
    {"v_bitop3_b16", bitop3_b16, 1, OF(by_table(a >> 16, b, c) & 0xffff)},
#endif
    {"registers by index", indexed, 1, OF(Word(a + 3 * b + 5 * b + 7 * a))},
    {"calls through pointers", through_pointers, 1, OF(expected_through_pointers(a, b, c))},
    {"v_pack_b32_f16", pack_b32_f16, 16, OF(halves(half(a, 0), half(b, 0)))},
    {"v_fma_f64", fma_f64, 64, OF(expected_fma_f64(a, b, c))},
    {"v_lshlrev_b64", lshlrev_b64, 1, OF((std::uint64_t(b) << 32 | c) << (a & 63))},
};
