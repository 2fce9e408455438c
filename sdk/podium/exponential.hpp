// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An exponential for native contestants' loops: 2^k times a polynomial, without branches. Compilers turn it
// into vector code; a library's function computes one number at a time.
#pragma once
#include <cstdint>
#include <cstring>

namespace podium {

// e^x for x <= 0; 0 where the result is far below the smallest normal float. Else the relative error is below
// 2^-22. x = k ln 2 + r with |r| <= ln 2 / 2; ln 2 is split in two, the first part so short that its product
// with k is exact. Degree 7 of the Taylor series leaves 0.35^8 / 8! = 6e-9.
inline float exponential(float x) {
  constexpr float log2_e = 1.44269504f, ln2_high = 0.693359375f, ln2_low = -2.12194440e-4f;
  constexpr float lowest = -87.6f;           // k is -126 there, the least exponent of a normal float
  constexpr float to_integer = 12582912.0f;  // 1.5 * 2^23: added, it leaves the nearest integer in low bits
  const float in_range = x > lowest ? x : lowest;
  const float shifted = in_range * log2_e + to_integer, k = shifted - to_integer;
  const float r = (in_range - k * ln2_high) - k * ln2_low;
  float p = 1.0f / 5040;
  p = p * r + 1.0f / 720;
  p = p * r + 1.0f / 120;
  p = p * r + 1.0f / 24;
  p = p * r + 1.0f / 6;
  p = p * r + 0.5f;
  p = p * r + 1.0f;
  p = p * r + 1.0f;
  std::int32_t exponent;
  std::memcpy(&exponent, &shifted, sizeof exponent);
  const std::int32_t bits = (exponent - 0x4b400000 + 127) << 23;  // 0x4b400000: to_integer itself
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return x > lowest ? p * power : 0.0f;
}

}  // namespace podium
