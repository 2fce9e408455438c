// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, bits and shifts: PTX ISA 9.7.1 (integer), 9.7.2 (extended precision), 9.7.8 (logic and
// shift). All arithmetic wraps, unlike C++'s.
#pragma once
#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

template <class T>
inline constexpr u32 width = 8 * sizeof(T);

template <class T>
inline std::enable_if_t<is_integer<T>, T> add(T a, T b) {
  return static_cast<T>(static_cast<unsigned_of<T>>(a) + static_cast<unsigned_of<T>>(b));
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> sub(T a, T b) {
  return static_cast<T>(static_cast<unsigned_of<T>>(a) - static_cast<unsigned_of<T>>(b));
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> mul(T a, T b) {  // mul.lo
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
// Division by zero has an unspecified result (PTX ISA 9.7.1: div, rem); an H200 gives all ones, as quotient
// and as remainder, in every width.
template <class T>
inline std::enable_if_t<is_integer<T>, T> div(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return sub<T>(0, a);
  return static_cast<T>(a / b);
}
template <class T>
inline T rem(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>)
    if (b == -1) return 0;
  return static_cast<T>(a % b);
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> neg(T a) {
  return sub<T>(0, a);
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> abs(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
inline std::enable_if_t<is_integer<T>, T> relu(T a) {
  return a < 0 ? T{0} : a;
}

template <class T>
struct WideOf;
template <>
struct WideOf<u16> {
  using type = u32;
};
template <>
struct WideOf<s16> {
  using type = s32;
};
template <>
struct WideOf<u32> {
  using type = u64;
};
template <>
struct WideOf<s32> {
  using type = s64;
};
template <>
struct WideOf<u64> {
  using type = u128;
};
template <>
struct WideOf<s64> {
  using type = s128;
};
template <class T>
using wide_of = typename WideOf<T>::type;

template <class T>
inline wide_of<T> mul_wide(T a, T b) {
  return static_cast<wide_of<T>>(static_cast<wide_of<T>>(a) * static_cast<wide_of<T>>(b));
}
template <class T>
inline T mul_hi(T a, T b) {
  return static_cast<T>(mul_wide(a, b) >> width<T>);
}
// mul24, mad24: the product of the low 24 bits, its low or high 32 bits of 48.
template <class T>
inline s64 product24(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return static_cast<s64>(static_cast<s32>(static_cast<u32>(a) << 8) >> 8) *
           (static_cast<s32>(static_cast<u32>(b) << 8) >> 8);
  else
    return static_cast<s64>(static_cast<u64>(a & 0xffffff) * (b & 0xffffff));
}
template <class T>
inline T mul24_lo(T a, T b) {
  return static_cast<T>(product24(a, b));
}
template <class T>
inline T mul24_hi(T a, T b) {
  return static_cast<T>(product24(a, b) >> 16);
}

// Into the range of D; from any integer.
template <class D, class S>
inline D saturated(S value) {
  const s128 wide = value;
  const s128 most = std::is_signed_v<D> ? (static_cast<s128>(1) << (width<D> - 1)) - 1
                                        : (static_cast<s128>(1) << width<D>)-1;
  const s128 least = std::is_signed_v<D> ? -most - 1 : 0;
  return static_cast<D>(wide > most ? most : wide < least ? least : wide);
}

// Shift amounts beyond the width are clamped to it, not taken modulo it (PTX ISA 9.7.8.8).
template <class T>
inline T shl(T a, u32 by) {
  return by >= width<T> ? T{0} : static_cast<T>(a << by);
}
template <class T>
inline T shr(T a, u32 by) {
  if (by < width<T>) return static_cast<T>(a >> by);
  if constexpr (std::is_signed_v<T>) return static_cast<T>(a < 0 ? -1 : 0);
  return 0;
}
// shf.clamp and shf.wrap: `by` is clamped or wrapped before.
inline u32 shf_l(u32 low, u32 high, u32 by) {
  return static_cast<u32>(((static_cast<u64>(high) << 32 | low) << by) >> 32);
}
inline u32 shf_r(u32 low, u32 high, u32 by) {
  return static_cast<u32>((static_cast<u64>(high) << 32 | low) >> by);
}

template <class T>
inline T bfe(T a, u32 at, u32 length) {  // PTX ISA 9.7.1.19
  at &= 255;
  length &= 255;
  if (length == 0) return 0;
  const T moved = shr(a, at);
  if constexpr (std::is_signed_v<T>) {
    // The sign is that of the field's last bit, or of `a` where the field reaches beyond it.
    if (at + length >= width<T>) return moved;
    return shr(static_cast<T>(static_cast<unsigned_of<T>>(moved) << (width<T> - length)), width<T> - length);
  } else {
    return length >= width<T> ? moved : static_cast<T>(moved & ((T{1} << length) - 1));
  }
}
template <class T>
inline T bfi(T a, T b, u32 at, u32 length) {  // PTX ISA 9.7.1.20
  at &= 255;
  length &= 255;
  if (at >= width<T> || length == 0) return b;
  const T mask =
      static_cast<T>((length >= width<T> ? static_cast<T>(-1) : static_cast<T>((T{1} << length) - 1)) << at);
  return static_cast<T>((b & ~mask) | (static_cast<T>(a << at) & mask));
}
template <class T>
inline T szext(T a, u32 length) {  // PTX ISA 9.7.1.21: all above `length` bits becomes the sign, or zero
  return bfe<T>(a, 0, min<u32>(length, width<T>));
}
template <class T>
inline u32 bfind(T a) {
  if constexpr (std::is_signed_v<T>)
    if (a < 0) a = static_cast<T>(~a);
  if (a == 0) return ~0u;
  return 63 - static_cast<u32>(__builtin_clzll(static_cast<u64>(a)));
}
template <class T>
inline u32 bfind_shift(T a) {
  const u32 at = bfind(a);
  return at == ~0u ? at : width<T> - 1 - at;
}
template <class T>
inline T brev(T a) {
  T reversed = 0;
  for (u32 i = 0; i < width<T>; ++i)
    reversed = static_cast<T>(reversed | ((a >> i & 1) << (width<T> - 1 - i)));
  return reversed;
}
template <class T>
inline u32 clz(T a) {
  return a == 0 ? width<T> : static_cast<u32>(__builtin_clzll(a)) - (64 - width<T>);
}
template <class T>
inline u32 popc(T a) {
  return static_cast<u32>(__builtin_popcountll(a));
}
inline u32 fns(u32 mask, u32 base, s32 offset) {  // PTX ISA 9.7.1.17: the n-th set bit
  s32 at = static_cast<s32>(base & 31);
  if (offset == INT32_MIN) return 0;  // it has no magnitude; the ISA says nothing of it, an H200 gives 0
  if (offset == 0) return mask >> at & 1 ? static_cast<u32>(at) : ~0u;
  const s32 step = offset > 0 ? 1 : -1;
  s32 left = offset > 0 ? offset : -offset;
  for (; at >= 0 && at < 32; at += step)
    if (mask >> at & 1 && --left == 0) return static_cast<u32>(at);
  return ~0u;
}
template <class T>
inline T sad(T a, T b, T c) {
  return add<T>(c, a > b ? sub<T>(a, b) : sub<T>(b, a));
}

// Any function of three bits, by its truth table.
inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (u32 i = 0; i < 8; ++i)
    if (table >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return r;
}

inline u32 prmt(u32 a, u32 b, u32 selector) {  // PTX ISA 9.7.9.7, default mode
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 r = 0;
  for (u32 i = 0; i < 4; ++i) {
    const u32 nibble = selector >> (4 * i) & 15;
    u32 byte = static_cast<u32>(both >> (8 * (nibble & 7))) & 255;
    if (nibble & 8) byte = byte & 128 ? 255 : 0;  // its sign, eight times
    r |= byte << (8 * i);
  }
  return r;
}
enum class Permute { f4e, b4e, rc8, ecl, ecr, rc16 };
inline u32 prmt(u32 a, u32 b, u32 selector, Permute mode) {
  constexpr u32 bytes[6][4] = {{0x3210, 0x4321, 0x5432, 0x6543}, {0x5670, 0x6701, 0x7012, 0x0123},
                               {0x0000, 0x1111, 0x2222, 0x3333}, {0x3210, 0x3211, 0x3222, 0x3333},
                               {0x0000, 0x1110, 0x2210, 0x3210}, {0x1010, 0x3232, 0x1010, 0x3232}};
  return prmt(a, b, bytes[static_cast<int>(mode)][selector & 3]);
}

// Four products of bytes, or two of halves of `a` with bytes of `b`, added to c (PTX ISA 9.7.1.23, 9.7.1.24).
template <bool a_signed, bool b_signed>
inline u32 dp4a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 4; ++i) {
    const u8 x = static_cast<u8>(a >> (8 * i)), y = static_cast<u8>(b >> (8 * i));
    c += static_cast<u32>((a_signed ? static_cast<s8>(x) : x) * (b_signed ? static_cast<s8>(y) : y));
  }
  return c;
}
template <bool a_signed, bool b_signed>
inline u32 dp2a(u32 a, u32 b, u32 c, bool high) {
  for (u32 i = 0; i < 2; ++i) {
    const u16 x = static_cast<u16>(a >> (16 * i));
    const u8 y = static_cast<u8>(b >> (8 * (i + (high ? 2 : 0))));
    c += static_cast<u32>((a_signed ? static_cast<s16>(x) : x) * (b_signed ? static_cast<s8>(y) : y));
  }
  return c;
}

// Extended precision: the carry of thread-local condition code CC.CF.
template <class T>
inline T add_carry(T a, T b, u32 carry_in, u32& carry_out) {
  const u128 sum =
      static_cast<u128>(static_cast<unsigned_of<T>>(a)) + static_cast<unsigned_of<T>>(b) + carry_in;
  carry_out = static_cast<u32>(sum >> width<T>) & 1;
  return static_cast<T>(sum);
}
// a + ~b + 1, so the carry is 1 where nothing was borrowed: the ISA calls it a borrow, an H200 has it so, and
// nvcc's division of 128-bit integers adds it.
template <class T>
inline T sub_carry(T a, T b, u32 carry_in, u32& carry_out) {
  return add_carry(a, static_cast<T>(~b), carry_in, carry_out);
}

}  // namespace podium::ptx
