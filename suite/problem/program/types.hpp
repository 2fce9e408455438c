// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fixed-width types, element types and the few compiler differences between g++, NVRTC and hipcc. No header
// needed.
#pragma once

#if defined(__HIP__)
#include <hip/hip_runtime.h>
#endif
// PODIUM_DEVICE is for what is called per element; PODIUM_SHARED for whole loops that several kernels share,
// which shortens compilation; PODIUM_COLD for what is not expected to run.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__) || defined(__HIP__)
#define PODIUM_GPU 1
#define PODIUM_DEVICE __device__ __forceinline__
#define PODIUM_SHARED __device__ __noinline__
#define PODIUM_COLD __device__ __noinline__
#else
#define PODIUM_GPU 0
#define PODIUM_DEVICE inline __attribute__((always_inline))
#define PODIUM_SHARED inline __attribute__((noinline))
#define PODIUM_COLD inline __attribute__((noinline, cold))
#endif

namespace podium::program {

using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct boolean {
  u8 bits;  // a contestant may write 2: never read as bool
};
struct e4m3 {
  u8 bits;
};
struct e5m2 {
  u8 bits;
};
struct e4m3_fnuz {
  u8 bits;
};
struct e5m2_fnuz {
  u8 bits;
};
struct e8m0 {
  u8 bits;
};
struct e2m1 {
  u8 bits;  // the low half
};
struct e2m1x2 {  // as memory holds them: element 0 in the low half
  u8 bits;
};

// What <type_traits> would give, which NVRTC lacks.
template <class A, class B>
inline constexpr bool is_same = false;
template <class A>
inline constexpr bool is_same<A, A> = true;
template <class T, class... U>
inline constexpr bool is_any = (is_same<T, U> || ...);
template <bool condition, class T = int>
struct EnableIf {};
template <class T>
struct EnableIf<true, T> {
  using type = T;
};
template <bool condition, class T = int>
using enable_if = typename EnableIf<condition, T>::type;
template <class T>
inline constexpr bool is_floating = is_any<T, double, float>;
template <class T>
inline constexpr bool is_integral = is_any<T, bool, char, signed char, unsigned char, short, unsigned short,
                                           int, unsigned, long, unsigned long, long long, unsigned long long>;

#if PODIUM_GPU
PODIUM_DEVICE u64 bits_of(double x) { return u64(__double_as_longlong(x)); }
PODIUM_DEVICE u32 bits_of(float x) { return __float_as_uint(x); }
PODIUM_DEVICE double double_of(u64 bits) { return __longlong_as_double(i64(bits)); }
PODIUM_DEVICE float float_of(u32 bits) { return __uint_as_float(bits); }
#else
PODIUM_DEVICE u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
PODIUM_DEVICE u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
PODIUM_DEVICE double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }
PODIUM_DEVICE float float_of(u32 bits) { return __builtin_bit_cast(float, bits); }
#endif

// Ends the program: for what can only be a mistake of the judge's own.
#if PODIUM_GPU && !defined(__HIP__)
PODIUM_DEVICE void trap() { __trap(); }
#else
PODIUM_DEVICE void trap() { __builtin_trap(); }
#endif

// High 64 bits of the product.
PODIUM_DEVICE u64 multiply_high(u64 a, u64 b) {
#if PODIUM_GPU
  return __umul64hi(a, b);
#else
  __extension__ using wide = unsigned __int128;
  return u64((wide(a) * b) >> 64);
#endif
}

// High 32 bits of the product.
PODIUM_DEVICE u32 multiply_high_32(u32 a, u32 b) {
#if PODIUM_GPU
  return __umulhi(a, b);
#else
  return u32((u64(a) * b) >> 32);
#endif
}

PODIUM_DEVICE u32 sum_of_bytes(u32 word) {
#if PODIUM_GPU && !defined(__HIP__)
  return __dp4a(word, 0x01010101u, 0u);
#else
  const u32 pairs = (word & 0xff00ffu) + (word >> 8 & 0xff00ffu);
  return (pairs + (pairs >> 16)) & 0xffffu;
#endif
}

// Of a word that is not zero: how many bits are set, and the number of the lowest.
#if PODIUM_GPU
PODIUM_DEVICE int bits_set(u64 x) { return __popcll(x); }
PODIUM_DEVICE int lowest_bit(u64 x) { return __ffsll(i64(x)) - 1; }
#else
PODIUM_DEVICE int bits_set(u64 x) { return __builtin_popcountll(x); }
PODIUM_DEVICE int lowest_bit(u64 x) { return __builtin_ctzll(x); }
#endif

}  // namespace podium::program
