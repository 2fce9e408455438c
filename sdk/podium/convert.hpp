// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of narrow floats to float and back for native contestants, as fast as the processor can; nearest even.
#pragma once
#include <cstdint>
#include <cstring>
#include <podium/podium.hpp>

namespace podium {

#if defined(__F16C__)
// Eight at a time by the processor's own instruction. GCC and Clang have these two built in. Compiling their
// header <immintrin.h> takes as long as the rest of a contestant.
namespace host {
using EightHalves [[gnu::vector_size(16)]] = short;
using EightFloats [[gnu::vector_size(32)]] = float;

inline void widen_eight(const f16* from, float* to) {
  EightHalves halves;
  std::memcpy(&halves, from, sizeof halves);
  const EightFloats floats = __builtin_ia32_vcvtph2ps256(halves);
  std::memcpy(to, &floats, sizeof floats);
}
inline void narrow_eight(const float* from, f16* to) {
  EightFloats floats;
  std::memcpy(&floats, from, sizeof floats);
  const EightHalves halves = __builtin_ia32_vcvtps2ph256(floats, 0);  // 0: to nearest even
  std::memcpy(to, &halves, sizeof halves);
}
}  // namespace host
#endif

inline void widen(const float* from, float* to, std::int64_t n) {
  std::memcpy(to, from, std::size_t(n) * sizeof(float));
}
inline void narrow(const float* from, float* to, std::int64_t n) {
  std::memcpy(to, from, std::size_t(n) * sizeof(float));
}

inline void widen(const f16* from, float* to, std::int64_t n) {
  static_assert(sizeof(f16) == 2);
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) host::widen_eight(from + i, to + i);
#endif
  for (; i < n; ++i) to[i] = cast<float>(from[i]);
}

inline void narrow(const float* from, f16* to, std::int64_t n) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8) host::narrow_eight(from + i, to + i);
#endif
  for (; i < n; ++i) to[i] = cast<f16>(from[i]);
}

// A bf16 is the upper half of a float; these loops are plain integer work, which compilers vectorise.
inline void widen(const bf16* from, float* to, std::int64_t n) {
  static_assert(sizeof(bf16) == 2);
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint16_t half;
    std::memcpy(&half, from + i, sizeof half);
    const std::uint32_t bits = std::uint32_t{half} << 16;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}

inline void narrow(const float* from, bf16* to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, from + i, sizeof bits);
    const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
    const std::uint32_t quiet = (bits >> 16) | 0x40u, nearest = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
    const auto half = std::uint16_t(nan ? quiet : nearest);
    std::memcpy(to + i, &half, sizeof half);
  }
}

// Eight bits: a table of their 256 numbers is made once.
namespace host {
template <class T>
inline const float* numbers_of_bytes() {
  struct Numbers {
    float of[256];
    Numbers() {
      for (int k = 0; k < 256; ++k) of[k] = cast<float>(T{static_cast<std::uint8_t>(k)});
    }
  };
  static const Numbers numbers;
  return numbers.of;
}
}  // namespace host

template <class T>
std::enable_if_t<detail::is_narrow<T>> widen(const T* from, float* to, std::int64_t n) {
  const float* const number = host::numbers_of_bytes<T>();
  for (std::int64_t i = 0; i < n; ++i) to[i] = number[from[i].bits];
}
template <class T>
std::enable_if_t<detail::is_narrow<T>> narrow(const float* from, T* to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = cast<T>(from[i]);
}

// n counts numbers, two a byte; it is even.
inline void widen(const e2m1x2* from, float* to, std::int64_t n) {
  const float* const number = host::numbers_of_bytes<e2m1>();
  for (std::int64_t i = 0; i < n / 2; ++i) {
    to[2 * i] = number[from[i].low().bits];
    to[2 * i + 1] = number[from[i].high().bits];
  }
}
inline void narrow(const float* from, e2m1x2* to, std::int64_t n) {
  for (std::int64_t i = 0; i < n / 2; ++i)
    to[i] = e2m1x2::of(cast<e2m1>(from[2 * i]), cast<e2m1>(from[2 * i + 1]));
}

}  // namespace podium
