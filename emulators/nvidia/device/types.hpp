// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// PTX's fundamental types (PTX ISA 5.2) in C++, and registers read and written as them. Generated kernels see
// these names, so they are PTX's.
#pragma once
#include <cstdint>
#include <type_traits>

namespace podium::ptx {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ using u128 = unsigned __int128;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;
__extension__ using s128 = __int128;
using f32 = float;
using f64 = double;
struct f16 {
  u16 bits;
};
struct bf16 {
  u16 bits;
};
struct f16x2 {
  f16 x, y;  // x in the low half
};
struct bf16x2 {
  bf16 x, y;
};
struct f32x2 {
  f32 x, y;
};
struct u16x2 {
  u16 x, y;
};
struct s16x2 {
  s16 x, y;
};
using b8 = u8;
using b16 = u16;
using b32 = u32;
using b64 = u64;
using b128 = u128;
using pred = bool;

template <int bytes>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using type = u8;
};
template <>
struct UnsignedOf<2> {
  using type = u16;
};
template <>
struct UnsignedOf<4> {
  using type = u32;
};
template <>
struct UnsignedOf<8> {
  using type = u64;
};
template <>
struct UnsignedOf<16> {
  using type = u128;
};
template <class T>
using unsigned_of = typename UnsignedOf<sizeof(T)>::type;

// One of `count` equal parts of T, as bits.
template <class T, int count>
using part_of = typename UnsignedOf<sizeof(T) / count>::type;

template <class T>
inline constexpr bool is_integer = std::is_integral_v<T> || std::is_same_v<T, u128>;
template <class T>
inline constexpr bool is_narrow = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;
template <class T>
inline constexpr bool is_pair =
    std::is_same_v<T, f16x2> || std::is_same_v<T, bf16x2> || std::is_same_v<T, f32x2> ||
    std::is_same_v<T, u16x2> || std::is_same_v<T, s16x2>;

// The same bits as another type of that size.
template <class T, class S>
inline T bits(S from) {
  static_assert(sizeof(T) == sizeof(S));
  T to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

// A register read as a type: PTX lets a wider register stand for a narrower operand, whose bits are the low
// ones.
template <class T, class S>
inline T get(S from) {
  if constexpr (std::is_same_v<S, bool> || std::is_same_v<T, bool>)
    return static_cast<T>(from);
  else
    return bits<T>(static_cast<unsigned_of<T>>(bits<unsigned_of<S>>(from)));
}

// A result written to a register, which may be wider: integers are extended as their type says (PTX
// ISA 9.4.1).
template <class R, class V>
inline void put(R& into, V value) {
  if constexpr (std::is_same_v<R, bool>)
    into = static_cast<bool>(value);
  else if constexpr (std::is_same_v<V, bool>)
    into = bits<R>(static_cast<unsigned_of<R>>(value));
  else if constexpr (sizeof(R) > sizeof(V) && std::is_integral_v<V> && std::is_signed_v<V>)
    into = bits<R>(static_cast<unsigned_of<R>>(static_cast<s64>(value)));
  else
    into = bits<R>(static_cast<unsigned_of<R>>(bits<unsigned_of<V>>(value)));
}

// What most instructions write, said once more: a compiler has less to do with it.
inline void put(f32& into, f32 value) { into = value; }
inline void put(f64& into, f64 value) { into = value; }
inline void put(bool& into, bool value) { into = value; }
inline void put(u16& into, u16 value) { into = value; }
inline void put(u32& into, u32 value) { into = value; }
inline void put(u32& into, s32 value) { into = static_cast<u32>(value); }
inline void put(u64& into, u64 value) { into = value; }
inline void put(u64& into, s64 value) { into = static_cast<u64>(value); }

// Memory as a type, at any address.
template <class T>
inline T read(const u8* at) {
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
inline void write(u8* at, T value) {
  __builtin_memcpy(at, &value, sizeof value);
}

inline f32 float_of(u32 from) { return bits<f32>(from); }
inline f64 double_of(u64 from) { return bits<f64>(from); }

}  // namespace podium::ptx
