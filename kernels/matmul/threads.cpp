// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, packed panels, a register-blocked kernel
//   author: Podium
//   source: after Goto and van de Geijn, Anatomy of high-performance matrix multiplication, 2008

// First a and b are widened to float and copied into panels: `rows` rows of a, `columns` columns of b, in the
// order in which the innermost kernel reads them. That kernel keeps rows x columns sums in vector registers.
// A stretch of `deep` along k of one panel of b stays in the first cache while a block of a, from the second,
// passes by.
#include <podium/convert.hpp>
#include <podium/matmul.hpp>
#include <podium/threads.hpp>

#include <algorithm>

namespace {
using problem::real;
#if defined(__AVX512F__)
constexpr int width = 16, rows = 12, vectors = 2;  // 24 of 32 registers hold sums
#elif defined(__AVX__)
constexpr int width = 8, rows = 6, vectors = 2;  // 12 of 16
#else
constexpr int width = 4, rows = 4, vectors = 2;  // 8 of 16
#endif
constexpr int columns = width * vectors;
constexpr std::int64_t deep = 256;             // floats; deep x columns is at most 32 KiB
constexpr std::int64_t block_rows = 4 * rows;  // of a tile of c
constexpr std::int64_t block_columns = 4 * columns;

typedef float Vector __attribute__((vector_size(width * sizeof(float)), aligned(4)));

// sum[i][j] += a stretch of k; the panels are contiguous, `sum` has `pitch` floats a row.
void kernel(const float* a, const float* b, std::int64_t k, float* sum, std::int64_t pitch) {
  Vector s[rows][vectors];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) s[i][v] = *reinterpret_cast<const Vector*>(sum + i * pitch + v * width);
  for (std::int64_t l = 0; l < k; ++l, a += rows, b += columns) {
    Vector y[vectors];
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) y[v] = *reinterpret_cast<const Vector*>(b + v * width);
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) s[i][v] += a[i] * y[v];
  }
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i)
#pragma GCC unroll 2
    for (int v = 0; v < vectors; ++v) *reinterpret_cast<Vector*>(sum + i * pitch + v * width) = s[i][v];
}

// One panel of a: k groups of `rows` elements, zero beyond the last row.
void pack_a(const podium::Tensor<const real, 2>& a, std::int64_t first, float* panel) {
  float part[deep];
  for (std::int64_t at = 0; at < a.extent(1); at += deep) {
    const auto length = std::min(deep, a.extent(1) - at);
    for (int i = 0; i < rows; ++i) {
      const bool inside = first + i < a.extent(0);
      if (inside) podium::widen(a.data + (first + i) * a.stride(0) + at, part, length);
      for (std::int64_t l = 0; l < length; ++l) panel[(at + l) * rows + i] = inside ? part[l] : 0;
    }
  }
}

// One panel of b: k groups of `columns` elements, zero beyond the last column.
void pack_b(const podium::Tensor<const real, 2>& b, std::int64_t first, float* panel) {
  const auto length = std::min<std::int64_t>(columns, b.extent(1) - first);
  for (std::int64_t l = 0; l < b.extent(0); ++l, panel += columns) {
    podium::widen(b.data + l * b.stride(0) + first, panel, length);
    std::fill(panel + length, panel + columns, 0.0f);
  }
}

struct Contestant {
  podium::Threads threads;
  std::int64_t panels_a, panels_b;
  float *packed_a, *packed_b;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : panels_a(podium::ceil_div(w.m, rows)),
        panels_b(podium::ceil_div(w.n, columns)),
        packed_a(workspace.device<float>(std::size_t(panels_a * rows * w.k))),
        packed_b(workspace.device<float>(std::size_t(panels_b * columns * w.k))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each(panels_a + panels_b, [&](std::int64_t p) {
      if (p < panels_a)
        pack_a(args.a, p * rows, packed_a + p * rows * args.k);
      else
        pack_b(args.b, (p - panels_a) * columns, packed_b + (p - panels_a) * columns * args.k);
    });
    const auto down = podium::ceil_div(args.m, block_rows), across = podium::ceil_div(args.n, block_columns);
    threads.each(down * across,
                 [&](std::int64_t t) { tile(args, t / across * block_rows, t % across * block_columns); });
  }

  void tile(const problem::Arguments& args, std::int64_t top, std::int64_t left) const {
    alignas(64) float sum[block_rows * block_columns] = {};
    const auto bottom = std::min(args.m, top + block_rows), right = std::min(args.n, left + block_columns);
    for (std::int64_t at = 0; at < args.k; at += deep) {
      const auto length = std::min(deep, args.k - at);
      for (auto j = left; j < right; j += columns)
        for (auto i = top; i < bottom; i += rows)
          kernel(packed_a + i * args.k + at * rows, packed_b + j * args.k + at * columns, length,
                 sum + (i - top) * block_columns + (j - left), block_columns);
    }
    for (auto i = top; i < bottom; ++i)
      podium::narrow(sum + (i - top) * block_columns, args.c.data + i * args.n + left, right - left);
  }
};
}  // namespace
