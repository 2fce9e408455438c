// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of f16 and bf16 to float and back for native contestants, as fast as the processor can; nearest even.
#pragma once
#include <cstdint>
#include <cstring>
#include <podium/podium.hpp>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace podium {

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
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
#endif
  for (; i < n; ++i) to[i] = cast<float>(from[i]);
}

inline void narrow(const float* from, f16* to, std::int64_t n) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
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

}  // namespace podium
