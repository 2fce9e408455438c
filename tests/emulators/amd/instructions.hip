// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Single instructions on random and edge operands, against what the host computes from
// the words of AMD's instruction set guides. The emulator is made from AMD's pseudo-code; nothing here is.
// "instructions break" expects one wrong result, and must be told so.
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "instruction_kernels.hpp"

// NaNs are one value: which one the hardware makes is not what is tested. Results are of `bits` bits.
bool same(std::uint64_t found, std::uint64_t expected, int bits) {
  if (bits == 32 && std::isnan(as<float>(std::uint32_t(found))) &&
      std::isnan(as<float>(std::uint32_t(expected))))
    return true;
  if (bits == 64 && std::isnan(as<double>(found)) && std::isnan(as<double>(expected))) return true;
  if (bits == 16) {  // two halves
    for (int h = 0; h < 2; ++h) {
      const auto a = as<_Float16>(std::uint16_t(found >> (16 * h))),
                 b = as<_Float16>(std::uint16_t(expected >> (16 * h)));
      if (as<std::uint16_t>(a) != as<std::uint16_t>(b) && !(a != a && b != b)) return false;
    }
    return true;
  }
  return found == expected;
}

struct Test {
  const char* name;
  void (*kernel)(Operands);
  std::uint64_t (*expected)(std::uint32_t, std::uint32_t, std::uint32_t);
  int bits;  // 1: not a floating-point number
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
  return std::fabs(exact) < 0x1p-126 ? u(std::copysign(0.F, float(std::copysign(1.0, exact)))) : u(multiplied(a, b));
}
std::uint32_t without_denormals(std::uint32_t x) { return x & 0x7f800000 ? x : x & 0x80000000; }
#define E [](std::uint32_t a, std::uint32_t b, std::uint32_t c)->std::uint64_t
#define UNUSED static_cast<void>(a), static_cast<void>(b), static_cast<void>(c)

const Test tests[] = {{"v_add_f32", add_f32, E{return UNUSED, u(f(a) + f(b));
}
, 32
}
, {"v_add_f32 rounded up", add_up, E{return UNUSED, rounded(FE_UPWARD, [&] { return summed(a, b); });
}
, 32
}
, {"v_add_f32 rounded down", add_down, E{return UNUSED, rounded(FE_DOWNWARD, [&] { return summed(a, b); });
}
, 32
}
, {"v_mul_f32 rounded towards zero", mul_towards_zero,
   E{return UNUSED, rounded(FE_TOWARDZERO, [&] { return multiplied(a, b); });
}
, 32
}
, {"v_add_f32 while f64 and f16 are rounded towards zero", add_rounding_others, E{return UNUSED, u(f(a) + f(b));
}
, 32
}
, {"v_mul_f32 without denormals", mul_flushed, E{UNUSED;
return flushed_product(without_denormals(a), without_denormals(b));
}
, 32
}
, {"v_add_f32 without denormal operands", add_operands_flushed, E{UNUSED;
return u(summed(without_denormals(a), without_denormals(b)));
}
, 32
}
, {"v_mul_f32 without denormal results", mul_results_flushed, E{UNUSED;
return flushed_product(a, b);
}
, 32
}
, {"v_sub_f32", sub_f32, E{return UNUSED, u(f(a) - f(b));
}
, 32
}
, {"v_mul_f32", mul_f32, E{return UNUSED, u(f(a) * f(b));
}
, 32
}
, {"v_fma_f32", fma_f32, E{return u(std::fma(f(a), f(b), f(c)));
}
, 32
}
, {"v_min_f32", min_f32, E{return UNUSED, u(least(f(a), f(b)));
}
, 32
}
, {"v_max_f32", max_f32, E{return UNUSED, u(greatest(f(a), f(b)));
}
, 32
}
, {"v_med3_f32", med3_f32, E{return u(middle(f(a), f(b), f(c)));
}
, 32
}
, {"v_floor_f32", floor_f32, E{return UNUSED, u(std::floor(f(a)));
}
, 32
}
, {"v_ceil_f32", ceil_f32, E{return UNUSED, u(std::ceil(f(a)));
}
, 32
}
, {"v_trunc_f32", trunc_f32, E{return UNUSED, u(std::trunc(f(a)));
}
, 32
}
, {"v_rndne_f32", rndne_f32, E{return UNUSED, u(std::nearbyint(f(a)));
}
, 32
}
, {"v_cvt_i32_f32", cvt_i32_f32, E{return UNUSED, std::uint32_t(to_signed(f(a)));
}
, 1
}
, {"v_cvt_u32_f32", cvt_u32_f32, E{return UNUSED, to_unsigned(f(a));
}
, 1
}
, {"v_cvt_f32_i32", cvt_f32_i32, E{return UNUSED, u(float(std::int32_t(a)));
}
, 32
}
, {"v_cvt_f32_u32", cvt_f32_u32, E{return UNUSED, u(float(a));
}
, 32
}
, {"v_cvt_f16_f32", cvt_f16_f32, E{return UNUSED, halves(_Float16(f(a)), 0);
}
, 16
}
, {"v_frexp_mant_f32", frexp_mant_f32, E{int e = 0;
return UNUSED, u(std::isfinite(f(a)) ? std::frexp(f(a), &e) : f(a));
}
, 32
}
, {"v_frexp_exp_i32_f32", frexp_exp_f32, E{int e = 0;
UNUSED;
if (std::isfinite(f(a))) std::frexp(f(a), &e);
return std::uint32_t(e);
}
, 1
}
, {"v_ldexp_f32", ldexp_f32, E{return UNUSED, u(std::ldexp(f(a), std::int32_t(b)));
}
, 32
}
, {"v_mul_lo_u32", mul_lo_u32, E{return UNUSED, std::uint32_t(a * b);
}
, 1
}
, {"v_mul_hi_u32", mul_hi_u32, E{return UNUSED, std::uint64_t(a) * b >> 32;
}
, 1
}
, {"v_mul_hi_i32", mul_hi_i32,
   E{return UNUSED, std::uint32_t(std::int64_t(std::int32_t(a)) * std::int32_t(b) >> 32);
}
, 1
}
, {"v_mul_u32_u24", mul_u24, E{return UNUSED, std::uint32_t((a & 0xffffff) * (b & 0xffffff));
}
, 1
}
, {"v_mul_i32_i24", mul_i24, E{return UNUSED, std::uint32_t(std::int64_t(i24(a)) * i24(b));
}
, 1
}
, {"v_mad_u32_u24", mad_u24, E{return std::uint32_t((a & 0xffffff) * (b & 0xffffff) + c);
}
, 1
}
, {"v_min_i32", min_i32, E{return UNUSED, std::int32_t(a) < std::int32_t(b) ? a : b;
}
, 1
}
, {"v_max_u32", max_u32, E{return UNUSED, a > b ? a : b;
}
, 1
}
, {"v_lshlrev_b32", lshlrev, E{return UNUSED, std::uint32_t(b << (a & 31));
}
, 1
}
, {"v_lshrrev_b32", lshrrev, E{return UNUSED, b >> (a & 31);
}
, 1
}
, {"v_ashrrev_i32", ashrrev, E{return UNUSED, std::uint32_t(std::int32_t(b) >> (a & 31));
}
, 1
}
, {"v_bfe_u32", bfe_u32, E{const auto n = c & 31;
return n ? a >> (b & 31) & ((1u << n) - 1) : 0;
}
, 1
}
, {"v_bfe_i32", bfe_i32, E{const int n = c & 31, from = b & 31;
if (n == 0) return 0;
const std::uint64_t wide = std::uint64_t(std::int64_t(std::int32_t(a)) >> from);
return from + n >= 32 ? std::uint32_t(wide) : std::uint32_t(std::int64_t(wide << (64 - n)) >> (64 - n));
}
, 1
}
, {"v_bfi_b32", bfi_b32, E{return (a & b) | (~a & c);
}
, 1
}
, {"v_alignbit_b32", alignbit, E{return std::uint32_t((std::uint64_t(a) << 32 | b) >> (c & 31));
}
, 1
}
, {"v_perm_b32", perm_b32, E{const std::uint64_t all = std::uint64_t(a) << 32 | b;
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
, 1
}
, {"v_lshl_add_u32", lshl_add, E{return std::uint32_t((a << (b & 31)) + c);
}
, 1
}
, {"v_add3_u32", add3, E{return std::uint32_t(a + b + c);
}
, 1
}
, {"v_and_or_b32", and_or, E{return (a & b) | c;
}
, 1
}
, {"v_xad_u32", xad, E{return std::uint32_t((a ^ b) + c);
}
, 1
}
, {"v_sad_u8", sad_u8, E{std::uint32_t sum = c;
for (int i = 0; i < 32; i += 8) sum += std::uint32_t(std::abs(int(a >> i & 255) - int(b >> i & 255)));
return sum;
}
, 1
}
, {"v_bfrev_b32", bfrev, E{UNUSED;
std::uint32_t r = 0;
for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
return r;
}
, 1
}
, {"v_not_b32", not_b32, E{return UNUSED, std::uint32_t(~a);
}
, 1
}
, {"v_bcnt_u32_b32", bcnt, E{UNUSED;
std::uint32_t n = b;
for (int i = 0; i < 32; ++i) n += a >> i & 1;
return n;
}
, 1
}
, {"v_pk_add_f16", pk_add_f16,
   E{return UNUSED, halves(_Float16(half(a, 0) + half(b, 0)), _Float16(half(a, 1) + half(b, 1)));
}
, 16
}
, {"v_pk_mul_f16", pk_mul_f16,
   E{return UNUSED, halves(_Float16(half(a, 0) * half(b, 0)), _Float16(half(a, 1) * half(b, 1)));
}
, 16
}
, {"v_pk_add_u16", pk_add_u16,
   E{return UNUSED, ((a + b) & 0xffff) | std::uint64_t(((a >> 16) + (b >> 16)) & 0xffff) << 16;
}
, 1
}
, {"v_pack_b32_f16", pack_b32_f16, E{return UNUSED, halves(half(a, 0), half(b, 0));
}
, 16
}
, {"v_fma_f64", fma_f64,
   E{const double x = as<double>(std::uint64_t(a) << 32 | b), y = as<double>(std::uint64_t(b) << 32 | c);
return as<std::uint64_t>(std::fma(x, y, as<double>(std::uint64_t(c) << 32 | a)));
}
, 64
}
, {"v_lshlrev_b64", lshlrev_b64, E{return (std::uint64_t(b) << 32 | c) << (a & 63);
}
, 1
}
,
}
;

std::vector<std::uint32_t> operands(std::mt19937& random) {
  const float edges[] = {0.F,      -0.F,     1.F,     -1.F,      0.5F,
                         1.5F,     2.5F,     -2.5F,   INFINITY,  -INFINITY,
                         NAN,      1e-45F,   -1e-40F, 0x1p-126F, 0x1.fffffep127F,
                         0x1p31F,  -0x1p31F, 0x1p32F, 65504.F,   65520.F,
                         0x1p-24F, 3e9F,     -3e9F,   0x1p24F};
  const std::uint32_t words[] = {0,          1,          2,          31,         32,         33,        63,
                                 0x7fffffff, 0x80000000, 0xffffffff, 0x00ffffff, 0x00800000, 0x0c0d0b08};
  std::vector<std::uint32_t> all(count);
  for (auto& x : all) {
    const auto kind = random() % 4;
    x = kind == 0   ? as<std::uint32_t>(edges[random() % std::size(edges)])
        : kind == 1 ? words[random() % std::size(words)]
        : kind == 2
            ? std::uint32_t(random())
            : as<std::uint32_t>(std::ldexp(float(random() % 2000001) / 1e6F - 1, int(random() % 24) - 12));
  }
  return all;
}

std::uint32_t* on_device(const std::vector<std::uint32_t>& x) {
  void* at = nullptr;
  if (hipMalloc(&at, x.size() * 4) != hipSuccess ||
      hipMemcpy(at, x.data(), x.size() * 4, hipMemcpyDefault) != hipSuccess)
    std::abort();
  return static_cast<std::uint32_t*>(at);
}

int main(int argc, char**) {
  std::mt19937 random(20240607);
  const auto a = operands(random), b = operands(random), c = operands(random);
  std::uint64_t* out = nullptr;
  if (hipMalloc(&out, count * sizeof *out) != hipSuccess) return 2;
  const Operands x{on_device(a), on_device(b), on_device(c), out};
  int failed = 0;
  for (const Test& test : tests) {
    test.kernel<<<count / 256, 256>>>(x);
    std::vector<std::uint64_t> found(count);
    if (hipMemcpy(found.data(), out, count * sizeof *out, hipMemcpyDefault) != hipSuccess) {
      std::printf("FAILED %s: %s\n", test.name, hipGetErrorString(hipGetLastError()));
      return 1;
    }
    if (argc > 1 && &test == tests) found[count / 2] ^= 1;
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t expected = test.expected(a[i], b[i], c[i]);
      if (same(found[i], expected, test.bits)) continue;
      if (wrong++ == 0)
        std::printf("FAILED %s of %08x %08x %08x: found %llx, expected %llx\n", test.name, a[i], b[i], c[i],
                    static_cast<unsigned long long>(found[i]), static_cast<unsigned long long>(expected));
    }
    failed += wrong > 0;
  }
  std::printf("%zu instructions, %d operands each, %d failed\n", std::size(tests), count, failed);
  return failed > 0;
}
