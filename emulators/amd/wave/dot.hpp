// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products of the elements of two words.
#pragma once
#include <cstdint>

#include "arithmetic.hpp"
#include "matrix.hpp"

namespace podium::amd {

// Modulo 2^32.
template <int bits>
std::uint32_t dot(std::uint32_t a, std::uint32_t b, bool a_signed, bool b_signed) {
  std::int64_t sum = 0;
  for (int i = 0; i < 32; i += bits)
    sum += matrix::Integer<bits>::value(a >> i, a_signed) * matrix::Integer<bits>::value(b >> i, b_signed);
  return static_cast<std::uint32_t>(sum);
}

// c + products, one after the other, the lowest first: rounded after each.
template <class A, class B>
float dot(std::uint32_t a, std::uint32_t b, float c) {
  for (int i = 0; i < 32; i += A::bits) c += A::value(a >> i, true) * B::value(b >> i, true);
  return c;
}

// The same with sums of 16 bits.
inline h16 dot_f16(std::uint32_t a, std::uint32_t b, h16 c) {
  for (int i = 0; i < 32; i += 16)
    c = fma(bits_of<h16>(static_cast<std::uint16_t>(a >> i)),
            bits_of<h16>(static_cast<std::uint16_t>(b >> i)), c);
  return c;
}
inline std::uint16_t dot_bf16(std::uint32_t a, std::uint32_t b, std::uint16_t c) {
  for (int i = 0; i < 32; i += 16)
    c = bf16_bits(fma(matrix::BF16::value(a >> i, true), matrix::BF16::value(b >> i, true), bf16_value(c)));
  return c;
}

}  // namespace podium::amd
