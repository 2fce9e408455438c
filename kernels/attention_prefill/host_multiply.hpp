// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Small products of matrices for native contestants: c += a b, with the sums in vector registers.
#pragma once
#include <cstdint>

namespace attention::host {

#if defined(__AVX512F__)
constexpr int width = 16, vectors = 4;  // 4 rows x 4 vectors: 16 of 32 registers hold sums
#elif defined(__AVX__)
constexpr int width = 8, vectors = 2;  // 8 of 16
#else
constexpr int width = 4, vectors = 2;
#endif
constexpr int rows_at_once = 4;

typedef float Vector __attribute__((vector_size(width * sizeof(float)), aligned(4)));

// Element (i, k) of `a` lies i * row + k * column floats from its first; so it may be transposed.
struct Factor {
  const float* data;
  std::int64_t row, column;
};

template <int m, int n>
inline void multiply_block(Factor a, const float* b, std::int64_t pitch_b, float* c, std::int64_t pitch_c,
                           std::int64_t depth) {
  Vector sum[m][n];
#pragma GCC unroll 4
  for (int i = 0; i < m; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) sum[i][v] = *reinterpret_cast<const Vector*>(c + i * pitch_c + v * width);
  for (std::int64_t k = 0; k < depth; ++k, b += pitch_b) {
    Vector y[n];
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) y[v] = *reinterpret_cast<const Vector*>(b + v * width);
#pragma GCC unroll 4
    for (int i = 0; i < m; ++i)
#pragma GCC unroll 4
      for (int v = 0; v < n; ++v) sum[i][v] += a.data[i * a.row + k * a.column] * y[v];
  }
#pragma GCC unroll 4
  for (int i = 0; i < m; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < n; ++v) *reinterpret_cast<Vector*>(c + i * pitch_c + v * width) = sum[i][v];
}

template <int m>
inline void multiply_rows(Factor a, const float* b, std::int64_t pitch_b, float* c, std::int64_t pitch_c,
                          std::int64_t depth, std::int64_t columns) {
  std::int64_t j = 0;
  for (; j + vectors * width <= columns; j += vectors * width)
    multiply_block<m, vectors>(a, b + j, pitch_b, c + j, pitch_c, depth);
  for (; j < columns; j += width) multiply_block<m, 1>(a, b + j, pitch_b, c + j, pitch_c, depth);
}

// c, of rows x columns, += a b; `columns` is a multiple of `width`.
inline void multiply(Factor a, const float* b, std::int64_t pitch_b, float* c, std::int64_t pitch_c,
                     std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  std::int64_t i = 0;
  for (; i + rows_at_once <= rows; i += rows_at_once)
    multiply_rows<rows_at_once>({a.data + i * a.row, a.row, a.column}, b, pitch_b, c + i * pitch_c, pitch_c,
                                depth, columns);
  for (; i < rows; ++i)
    multiply_rows<1>({a.data + i * a.row, a.row, a.column}, b, pitch_b, c + i * pitch_c, pitch_c, depth,
                     columns);
}

inline std::int64_t whole_vectors(std::int64_t n) { return (n + width - 1) / width * width; }

}  // namespace attention::host
