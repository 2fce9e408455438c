// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Floating-point arithmetic: PTX ISA 9.7.3 (f32, f64), 9.7.4 (f16, bf16 and pairs). Compiled without
// contraction.
#pragma once
#include "emulators/nvidia/device/integer.hpp"
#include "emulators/nvidia/device/narrow.hpp"

namespace podium::ptx {

// A NaN that f32 arithmetic makes is the canonical one (PTX ISA 9.7.3). Of f64's the ISA leaves sign and
// payload open; an H200 hands on an operand's, made quiet, and that of the last operand before the others':
// of b, then c, then a. Where no operand was one, it is `made64`.
inline constexpr u64 made64 = 0xfff8000000000000, quiet64 = 0x0008000000000000;
inline f32 canonical(f32 a) { return a != a ? float_of(nan32) : a; }
inline f64 canonical(f64 a) { return a != a ? double_of(bits<u64>(a) | quiet64) : a; }
inline f32 passed(f32 result, f32, f32, f32 = 0) { return canonical(result); }
inline f64 passed(f64 result, f64 a, f64 b, f64 c = 0) {
  if (result == result) return result;
  return canonical(b != b ? b : c != c ? c : a != a ? a : double_of(made64));
}

// .ftz: subnormal numbers become zeros of their sign, in operands and results.
inline f32 ftz(f32 a) {
  const u32 raw = bits<u32>(a);
  return (raw & 0x7f800000) == 0 ? float_of(raw & 0x80000000) : a;
}
inline f64 ftz(f64 a) { return a; }
inline f32x2 ftz(f32x2 a) { return {ftz(a.x), ftz(a.y)}; }
template <class T>
inline std::enable_if_t<std::is_same_v<T, f16>, T> ftz(T a) {
  return (a.bits & 0x7c00) == 0 ? f16{static_cast<u16>(a.bits & 0x8000)} : a;
}
inline f16x2 ftz(f16x2 a) { return {ftz(a.x), ftz(a.y)}; }
inline bf16 ftz(bf16 a) { return a; }
inline bf16x2 ftz(bf16x2 a) { return a; }

// Arithmetic on single numbers. That of narrow types is float's or double's, rounded once more: harmless for
// sums and products, whose format is less than half as wide (Figueroa, When is double rounding innocuous?).
inline f32 add(f32 a, f32 b) { return canonical(a + b); }
inline f64 add(f64 a, f64 b) { return passed(a + b, a, b); }
inline f32 sub(f32 a, f32 b) { return canonical(a - b); }
inline f64 sub(f64 a, f64 b) { return passed(a - b, a, b); }
inline f32 mul(f32 a, f32 b) { return canonical(a * b); }
inline f64 mul(f64 a, f64 b) { return passed(a * b, a, b); }
inline f32 div(f32 a, f32 b) { return canonical(a / b); }
inline f64 div(f64 a, f64 b) { return passed(a / b, b, a); }  // a's NaN first
inline f32 fma(f32 a, f32 b, f32 c) { return canonical(__builtin_fmaf(a, b, c)); }
inline f64 fma(f64 a, f64 b, f64 c) { return passed(__builtin_fma(a, b, c), a, b, c); }

template <class T>
inline std::enable_if_t<is_narrow<T>, T> add(T a, T b) {
  return narrow_of<T>(float_of(a) + float_of(b));
}
template <class T>
inline std::enable_if_t<is_narrow<T>, T> sub(T a, T b) {
  return narrow_of<T>(float_of(a) - float_of(b));
}
template <class T>
inline std::enable_if_t<is_narrow<T>, T> mul(T a, T b) {
  return narrow_of<T>(float_of(a) * float_of(b));
}
// The product is exact in double; its sum with c is rounded to odd there, so that the second rounding sees
// which side of the middle it came from (Boldo and Melquiond, Emulation of FMA and correctly rounded sums).
template <class T>
inline std::enable_if_t<is_narrow<T>, T> fma(T a, T b, T c) {
  const f64 product = static_cast<f64>(float_of(a)) * static_cast<f64>(float_of(b)), addend = float_of(c);
  f64 sum = product + addend;
  const f64 part = sum - product, error = (product - (sum - part)) + (addend - part);
  const u64 raw = bits<u64>(sum);
  if (error != 0 && error == error && (raw & 1) == 0)
    sum = bits<f64>((error > 0) == (sum > 0) ? raw + 1 : raw - 1);
  if constexpr (std::is_same_v<T, f16>)
    return half_of(sum);
  else
    return bfloat_of(sum);
}

// fma.oob: zero where an operand is OOB-NaN (PTX ISA 9.7.4.4), which is `outside_nan` for f16 and bf16 alike.
// An H200's answers decided the rest: a and b count, c does not and is a NaN like any other; the sign is not
// looked at; the zero is +0 whatever the other factor and c are, other NaNs and infinities too, before .relu.
template <class T>
inline bool is_outside(T a) {
  return (a.bits & 0x7fff) == outside_nan;
}
template <class T>
inline std::enable_if_t<is_narrow<T>, T> fma_oob(T a, T b, T c) {
  return is_outside(a) || is_outside(b) ? T{} : fma(a, b, c);
}

// The smaller or larger: the one that is a number; -0 is below +0 (PTX ISA 9.7.3.11, 9.7.3.12).
template <class F>
inline F least(F a, F b) {
  if (a != a) return canonical(b);
  if (b != b) return canonical(a);
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}
template <class F>
inline F greatest(F a, F b) {
  if (a != a) return canonical(b);
  if (b != b) return canonical(a);
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}
inline f32 min(f32 a, f32 b) { return least(a, b); }
inline f64 min(f64 a, f64 b) { return least(a, b); }
inline f32 max(f32 a, f32 b) { return greatest(a, b); }
inline f64 max(f64 a, f64 b) { return greatest(a, b); }
template <class T>
inline std::enable_if_t<is_narrow<T>, T> min(T a, T b) {
  return narrow_of<T>(least(float_of(a), float_of(b)));
}
template <class T>
inline std::enable_if_t<is_narrow<T>, T> max(T a, T b) {
  return narrow_of<T>(greatest(float_of(a), float_of(b)));
}

template <class T>
inline bool is_nan(T a) {
  if constexpr (is_narrow<T>)
    return is_nan(float_of(a));
  else
    return a != a;
}
template <class T>
inline T nan_of() {
  if constexpr (is_narrow<T>)
    return {nan16};
  else if constexpr (std::is_same_v<T, f32>)
    return float_of(nan32);
  else
    return double_of(0x7fffffffffffffff);
}
// min.NaN, max.NaN: a NaN wins.
template <class T>
inline std::enable_if_t<!is_pair<T>, T> min_nan(T a, T b) {
  return is_nan(a) || is_nan(b) ? nan_of<T>() : min(a, b);
}
template <class T>
inline std::enable_if_t<!is_pair<T>, T> max_nan(T a, T b) {
  return is_nan(a) || is_nan(b) ? nan_of<T>() : max(a, b);
}

template <class T>
inline constexpr unsigned_of<T> sign_bit =
    static_cast<unsigned_of<T>>(unsigned_of<T>{1} << (8 * sizeof(T) - 1));
// neg, abs: of a NaN the ISA leaves the result open; an H200 gives what it gives for any arithmetic on it.
template <class T>
inline T nan_kept(T a) {
  if constexpr (std::is_same_v<T, f64>)
    return canonical(a);
  else
    return nan_of<T>();
}
template <class T>
inline std::enable_if_t<!is_integer<T> && !is_pair<T>, T> neg(T a) {
  if (is_nan(a)) return nan_kept(a);
  return bits<T>(static_cast<unsigned_of<T>>(bits<unsigned_of<T>>(a) ^ sign_bit<T>));
}
template <class T>
inline std::enable_if_t<!is_integer<T> && !is_pair<T>, T> abs(T a) {
  if (is_nan(a)) return nan_kept(a);
  return bits<T>(static_cast<unsigned_of<T>>(bits<unsigned_of<T>>(a) & ~sign_bit<T>));
}
template <class T>
inline T copysign(T sign, T magnitude) {  // PTX ISA 9.7.3.2: the first operand's sign
  return bits<T>(static_cast<unsigned_of<T>>((bits<unsigned_of<T>>(magnitude) & ~sign_bit<T>) |
                                             (bits<unsigned_of<T>>(sign) & sign_bit<T>)));
}

template <class T>
inline std::enable_if_t<!is_integer<T> && !is_pair<T>, T> sat(T a) {  // into [0, 1]; NaN to 0
  if constexpr (is_narrow<T>)
    return narrow_of<T>(sat(float_of(a)));
  else
    return a > T{0} ? (a < T{1} ? a : T{1}) : T{0};
}
template <class T>
inline std::enable_if_t<!is_integer<T> && !is_pair<T>, T> relu(T a) {  // NaN stays
  return is_nan(a) ? nan_of<T>() : max(a, T{});
}
// min.xorsign.abs, max.xorsign.abs: a NaN keeps its sign
template <class T>
inline std::enable_if_t<!is_pair<T>, T> xorsign(T a, T b, T chosen) {
  if (is_nan(chosen)) return chosen;
  return bits<T>(
      static_cast<unsigned_of<T>>((bits<unsigned_of<T>>(abs(chosen))) |
                                  ((bits<unsigned_of<T>>(a) ^ bits<unsigned_of<T>>(b)) & sign_bit<T>)));
}

// Pairs, element by element.
template <class P, class F>
inline P each(P a, F f) {
  return {f(a.x), f(a.y)};
}
#define PODIUM_PAIRED_1(name)                        \
  template <class P>                                 \
  inline std::enable_if_t<is_pair<P>, P> name(P a) { \
    return {name(a.x), name(a.y)};                   \
  }
#define PODIUM_PAIRED_2(name)                             \
  template <class P>                                      \
  inline std::enable_if_t<is_pair<P>, P> name(P a, P b) { \
    return {name(a.x, b.x), name(a.y, b.y)};              \
  }
PODIUM_PAIRED_1(neg)
PODIUM_PAIRED_1(abs)
PODIUM_PAIRED_1(sat)
PODIUM_PAIRED_1(relu)
PODIUM_PAIRED_2(add)
PODIUM_PAIRED_2(sub)
PODIUM_PAIRED_2(mul)
PODIUM_PAIRED_2(min)
PODIUM_PAIRED_2(max)
PODIUM_PAIRED_2(min_nan)
PODIUM_PAIRED_2(max_nan)
#undef PODIUM_PAIRED_1
#undef PODIUM_PAIRED_2
template <class P>
inline std::enable_if_t<is_pair<P>, P> fma(P a, P b, P c) {
  return {fma(a.x, b.x, c.x), fma(a.y, b.y, c.y)};
}
template <class P>
inline std::enable_if_t<is_pair<P>, P> fma_oob(P a, P b, P c) {
  return {fma_oob(a.x, b.x, c.x), fma_oob(a.y, b.y, c.y)};
}
template <class P>
inline std::enable_if_t<is_pair<P>, P> xorsign(P a, P b, P chosen) {
  return {xorsign(a.x, b.x, chosen.x), xorsign(a.y, b.y, chosen.y)};
}

// Other roundings than to nearest, with the processor's own rounding modes: floating.cpp.
enum class Operation { add, sub, mul, div, fma, sqrt, rcp };
f32 rounded(Operation, Rounding, f32 a, f32 b, f32 c);
f64 rounded(Operation, Rounding, f64 a, f64 b, f64 c);
f32 rounded_to_f32(f64 a, Rounding);
f32 rounded_to_f32(s128 a, Rounding);
f64 rounded_to_f64(s128 a, Rounding);

// Functions that hardware approximates (.approx, .full), here correct to about half a unit in the last place:
// their error bounds are PTX ISA 9.7.3's, and a kernel must be right for any result within them.
f32 approximate_ex2(f32);
f32 approximate_lg2(f32);
f32 approximate_sin(f32);
f32 approximate_cos(f32);
f32 approximate_tanh(f32);
// div.approx: as a * (1 / b), whose second factor is zero for the largest b (PTX ISA 9.7.3.8).
inline f32 approximate_div(f32 a, f32 b) {
  const u32 magnitude = bits<u32>(b) & 0x7fffffff;
  constexpr u32 last = 0x7e800000, infinite = 0x7f800000;  // 2^126
  if (magnitude <= last || magnitude >= infinite) return canonical(a / b);
  return canonical(a * float_of(bits<u32>(b) & 0x80000000));
}
inline f32 square_root(f32 a) { return canonical(__builtin_sqrtf(a)); }
inline f64 square_root(f64 a) { return __builtin_sqrt(a); }
inline f32 reciprocal(f32 a) { return canonical(1.0f / a); }
inline f64 reciprocal(f64 a) { return 1.0 / a; }
inline f32 reciprocal_root(f32 a) {
  return canonical(static_cast<f32>(1.0 / __builtin_sqrt(static_cast<f64>(a))));
}
inline f64 reciprocal_root(f64 a) { return 1.0 / __builtin_sqrt(a); }
// rcp.approx.ftz.f64, rsqrt.approx.ftz.f64: of operand and result the upper 32 bits count, the lower are
// zero, so that a NaN with its payload there alone is an infinity; subnormal numbers become zeros.
template <class F>
inline f64 of_upper_half(f64 a, F f) {
  const auto cut = [](f64 x) {
    const u64 raw = bits<u64>(x);
    return double_of(raw & ((raw >> 52 & 0x7ff) == 0 ? u64{1} << 63 : 0xffffffff00000000));
  };
  const f64 r = f(cut(a));
  return r != r ? double_of(0x7fffffff00000000) : cut(r);
}

#define PODIUM_APPROXIMATE(name)                       \
  template <class T>                                   \
  inline std::enable_if_t<is_narrow<T>, T> name(T a) { \
    return narrow_of<T>(name(float_of(a)));            \
  }                                                    \
  template <class P>                                   \
  inline std::enable_if_t<is_pair<P>, P> name(P a) {   \
    return {name(a.x), name(a.y)};                     \
  }
PODIUM_APPROXIMATE(approximate_ex2)
PODIUM_APPROXIMATE(approximate_tanh)
#undef PODIUM_APPROXIMATE

// testp: zeros count as normal numbers
inline bool test_finite(f64 a) { return __builtin_isfinite(a); }
inline bool test_infinite(f64 a) { return __builtin_isinf(a); }
inline bool test_number(f64 a) { return a == a; }
inline bool test_notanumber(f64 a) { return a != a; }
inline bool test_normal(f32 a) { return __builtin_isnormal(a) || a == 0; }
inline bool test_normal(f64 a) { return __builtin_isnormal(a) || a == 0; }
template <class F>
inline bool test_subnormal(F a) {
  return __builtin_isfinite(a) && !__builtin_isnormal(a) && a != 0;
}

// Comparisons (PTX ISA 9.3.1). Of floating-point numbers, the plain ones are false where an operand is NaN,
// those that end in u are true.
template <class T>
inline auto comparable(T a) {
  if constexpr (is_narrow<T>)
    return float_of(a);
  else
    return a;
}
template <class T>
inline bool is_eq(T a, T b) {
  return comparable(a) == comparable(b);
}
template <class T>
inline bool is_lt(T a, T b) {
  return comparable(a) < comparable(b);
}
template <class T>
inline bool is_le(T a, T b) {
  return comparable(a) <= comparable(b);
}
template <class T>
inline bool is_gt(T a, T b) {
  return comparable(a) > comparable(b);
}
template <class T>
inline bool is_ge(T a, T b) {
  return comparable(a) >= comparable(b);
}
template <class T>
inline bool is_ne(T a, T b) {
  if constexpr (is_integer<T>)
    return a != b;
  else
    return is_lt(a, b) || is_gt(a, b);
}
template <class T>
inline bool is_num(T a, T b) {
  return !is_nan(a) && !is_nan(b);
}
template <class T>
inline bool is_nan(T a, T b) {
  return is_nan(a) || is_nan(b);
}
template <class T>
inline bool is_equ(T a, T b) {
  return !is_ne(a, b);
}
template <class T>
inline bool is_neu(T a, T b) {
  return !is_eq(a, b);
}
template <class T>
inline bool is_ltu(T a, T b) {
  return !is_ge(a, b);
}
template <class T>
inline bool is_leu(T a, T b) {
  return !is_gt(a, b);
}
template <class T>
inline bool is_gtu(T a, T b) {
  return !is_le(a, b);
}
template <class T>
inline bool is_geu(T a, T b) {
  return !is_lt(a, b);
}

}  // namespace podium::ptx
