// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A value as AMD's pseudo-code sees it: 64 bits that are read as any type, in slices and single bits.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace podium::amd {

using h16 = _Float16;

struct U {
  union {
    std::uint64_t u64, b64, u1;
    std::int64_t i64;
    std::uint32_t u32, b32;
    std::int32_t i32;
    float f32;
    double f64;
    std::uint16_t u16, b16, bf16;
    std::int16_t i16;
    h16 f16;
    std::uint8_t u8, b8, fp8, bf8;
    std::int8_t i8;
    std::uint32_t u24 : 24;
    std::int32_t i24 : 24;
  };
  U() : u64(0) {}
  template <class T>
  U(T x) {
    *this = x;
  }
  U(const U& o) : u64(o.u64) {}
  U& operator=(const U& o) {
    u64 = o.u64;
    return *this;
  }
  U& operator=(float x) {
    u64 = 0;
    f32 = x;
    return *this;
  }
  U& operator=(double x) {
    f64 = x;
    return *this;
  }
  U& operator=(h16 x) {
    u64 = 0;
    f16 = x;
    return *this;
  }
  template <class T>
  U& operator=(T x) {
    u64 = static_cast<std::uint64_t>(x);
    return *this;
  }
  operator std::uint64_t() const { return u64; }
  template <class T>
    requires(!std::is_floating_point_v<T> &&
             !std::is_same_v<T, h16>)  // nobody knows which floating-point type this has
  U& operator+=(T x) {
    u64 += static_cast<std::uint64_t>(x);
    return *this;
  }
};

// One bit that can be assigned.
struct Bit {
  std::uint64_t* at;
  int number;
  operator std::uint64_t() const { return *at >> number & 1; }
  template <class T>
  std::uint64_t operator=(T x) {
    const std::uint64_t bit = static_cast<std::uint64_t>(x) & 1;
    *at = (*at & ~(std::uint64_t{1} << number)) | bit << number;
    return bit;
  }
};

inline Bit BIT(U& x, int number) { return Bit{&x.u64, number}; }
inline std::uint64_t BIT(std::uint64_t x, int number) { return x >> number & 1; }

inline std::uint64_t ones(int bits) {
  return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

// Bits high to low, as in x[high : low].
inline U SL(std::uint64_t x, int high, int low) { return U(x >> low & ones(high - low + 1)); }

template <class T>
inline void SET(U& d, int high, int low, T value) {
  const std::uint64_t mask = ones(high - low + 1);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  d.u64 = (d.u64 & ~(mask << low)) | (bits & mask) << low;
}

// { high, low } in the pseudo-code.
template <class High, class Low>
inline std::uint64_t joined(High high, Low low) {
  static_assert(sizeof(High) + sizeof(Low) <= 8);
  std::uint64_t result = 0, upper = 0;
  std::memcpy(&result, &low, sizeof low);
  std::memcpy(&upper, &high, sizeof high);
  return result | upper << (8 * sizeof low);
}

template <class To, class From>
inline To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace podium::amd
