// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of e2m1, 16 numbers of a row with a factor of e4m3, in the order in which products of sm_100a take
// factors.
#pragma once
#include <cuda_fp8.h>

#include "checked.hpp"

namespace checked {

inline double of_e2m1(unsigned nibble) {
  constexpr double sizes[] = {0, .5, 1, 1.5, 2, 3, 4, 6};
  return nibble % 16 < 8 ? sizes[nibble % 8] : -sizes[nibble % 8];
}
inline double of_e4m3(std::uint8_t byte) {
  __nv_fp8_e4m3 number;
  number.__x = byte;
  return double(float(number));
}

// Where the factor of block `block` of a row lies: 128 rows by four blocks side by side in 512 bytes, of
// which row r is in r % 32 and r / 32 % 4.
inline std::size_t factor_at(std::size_t row, std::size_t block, std::size_t blocks) {
  const std::size_t whole = row / 128 * ((blocks + 3) / 4) + block / 4;
  return whole * 512 + row % 32 * 16 + row / 32 % 4 * 4 + block % 4;
}
inline std::size_t factors_of(std::size_t rows, std::size_t blocks) {
  return (rows + 127) / 128 * ((blocks + 3) / 4) * 512;
}

struct Nvfp4 {
  static constexpr int together = 16;
  Nvfp4(int rows, int width, Random& random)
      : rows(rows),
        width(width),
        bytes(std::size_t(rows) * width / 2),
        factors(factors_of(rows, width / together)) {
    for (auto& byte : bytes) byte = std::uint8_t(random.below(256));
    for (auto& factor : factors) factor = __nv_fp8_e4m3(float(1 + random.below(15)) / 4).__x;
  }
  double number(std::size_t row, std::size_t column) const {
    return of_e2m1(bytes[(row * width + column) / 2] >> column % 2 * 4);
  }
  double at(std::size_t row, std::size_t column) const {
    return number(row, column) * of_e4m3(factors[factor_at(row, column / together, width / together)]);
  }

  int rows, width;
  std::vector<std::uint8_t> bytes, factors;
};

}  // namespace checked
