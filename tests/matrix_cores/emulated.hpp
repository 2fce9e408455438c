// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// AMD's matrix cores in plain C++, so that kernels/matmul/matrix_core_tiles.hpp runs emulated on the CPU.
// Where elements lie is stated here once more, as AMD's ISA documents (and its matrix instruction calculator)
// have it, and not as the kernel's own maps do: a kernel that takes them from elsewhere multiplies the wrong
// ones. A helper: no contestant.
#pragma once
#include "../../kernels/matmul/matrix_core_tiles.hpp"

namespace documented {

using problem::real;

struct At {
  int lane, index;
};

// V_MFMA_F32_32X32X8_F16 and _BF16: four consecutive k in each half of the wave.
struct Mfma8 {
  static At a(int row, int k) { return {row + 32 * (k / 4), k % 4}; }
  static At c(int row, int column) { return {column + 32 * (row / 4 % 2), row % 4 + 4 * (row / 8)}; }
};
// V_MFMA_F32_32X32X16_F16 and _BF16: eight.
struct Mfma16 : Mfma8 {
  static At a(int row, int k) { return {row + 32 * (k / 8), k % 8}; }
};
// V_WMMA_F32_16X16X16 of RDNA 3: each half of the wave has everything; rows of c alternate between the
// halves.
struct Wmma11 {
  static At a(int row, int k) { return {row, k}; }
  static At c(int row, int column) { return {column + 16 * (row % 2), row / 2}; }
};
// Of RDNA 4: the halves have k by fours in turn; the rows of c by eights.
struct Wmma12 {
  static At a(int row, int k) { return {row + 16 * (k / 4 % 2), k % 4 + k / 8 * 4}; }
  static At c(int row, int column) { return {column + 16 * (row / 8), row % 8}; }
};

template <class T, int count>
struct Vector {
  T at[count];
  T& operator[](int i) { return at[i]; }
};

template <class Lanes, class Document>
struct Core : Lanes {
  using Operand = Vector<real, Lanes::held>;
  using Sums = Vector<float, Lanes::sums>;

  // The whole wave's operands are laid open, then every lane works out those of its sums that the document
  // gives it. b is a with columns for rows.
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    __shared__ real held[2][matrix_cores::threads][Lanes::held];
    const int thread = int(threadIdx.x), lane = thread % Lanes::lanes, wave = thread - lane;
    for (int i = 0; i < Lanes::held; ++i) held[0][thread][i] = a[i], held[1][thread][i] = b[i];
    __syncwarp();
    for (int row = 0; row < Lanes::side; ++row)
      for (int column = 0; column < Lanes::side; ++column) {
        const At mine = Document::c(row, column);
        if (mine.lane != lane) continue;
        for (int k = 0; k < Lanes::depth; ++k) {
          const At x = Document::a(row, k), y = Document::a(column, k);
          c[mine.index] += podium::cast<float>(held[0][wave + x.lane][x.index]) *
                           podium::cast<float>(held[1][wave + y.lane][y.index]);
        }
      }
    __syncwarp();
    return c;
  }
};

}  // namespace documented
