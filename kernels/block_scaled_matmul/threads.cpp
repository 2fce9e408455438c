// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, packed panels, a register-blocked kernel
//   author: Podium
//   source: after Goto and van de Geijn, Anatomy of high-performance matrix multiplication, 2008

// First a and b are widened to float, multiplied by their scales and copied into panels of a few rows each,
// in the order in which the innermost kernel reads them; that one keeps all its sums in vector registers.
#include <podium/block_scaled_matmul.hpp>
#include <podium/convert.hpp>
#include <podium/threads.hpp>

#include <algorithm>

namespace {
using problem::group, problem::real;
#if defined(__AVX512F__)
constexpr int width = 16;
#elif defined(__AVX__)
constexpr int width = 8;
#else
constexpr int width = 4;
#endif
constexpr int vectors = 2, rows = width == 16 ? 12 : 6;  // rows x vectors registers hold sums
constexpr int columns = width * vectors;
constexpr std::int64_t deep = 256;  // floats of a panel of b, so that it stays in the first cache

typedef float Vector __attribute__((vector_size(width * sizeof(float)), aligned(4)));

// sum[i][j] += a stretch of k; the panels are contiguous.
void kernel(const float* a, const float* b, std::int64_t k, float (*sum)[columns]) {
  Vector s[rows][vectors];
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) s[i][v] = *reinterpret_cast<const Vector*>(sum[i] + v * width);
  for (std::int64_t l = 0; l < k; ++l, a += rows, b += columns)
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
      for (int v = 0; v < vectors; ++v) s[i][v] += a[i] * *reinterpret_cast<const Vector*>(b + v * width);
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) *reinterpret_cast<Vector*>(sum[i] + v * width) = s[i][v];
}

// k groups of `count` elements of rows first, first + 1, ... of t; zero beyond its last row. scale(row, g).
template <class Scale>
void pack(const podium::Tensor<const real, 2>& t, std::int64_t first, int count, float* panel, Scale scale) {
  float part[group];
  for (int r = 0; r < count; ++r) {
    const auto row = first + r;
    for (std::int64_t at = 0; at < t.extent(1); at += group) {
      const auto length = std::min(group, t.extent(1) - at);
      const bool inside = row < t.extent(0);
      if (inside) podium::widen(t.data + row * t.stride(0) + at, part, length);
      const float factor = inside ? scale(row, at / group) : 0;
      for (std::int64_t l = 0; l < length; ++l) panel[(at + l) * count + r] = inside ? part[l] * factor : 0;
    }
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
      const auto q = p - panels_a;
      if (p < panels_a)
        pack(args.a, p * rows, rows, packed_a + p * rows * args.k,
             [&](std::int64_t i, std::int64_t g) { return args.a_scale(i, g); });
      else
        pack(args.b, q * columns, columns, packed_b + q * columns * args.k,
             [&](std::int64_t j, std::int64_t g) { return args.b_scale(j / group, g); });
    });
    constexpr std::int64_t together = 8;  // panels of a that pass by the same stretch of b
    const auto down = podium::ceil_div(panels_a, together);
    threads.each(down * panels_b, [&](std::int64_t t) {
      const auto p = t / panels_b * together;
      tile(args, p, std::min(together, panels_a - p), t % panels_b);
    });
  }

  void tile(const problem::Arguments& args, std::int64_t first, std::int64_t count,
            std::int64_t panel) const {
    alignas(64) float sum[8][rows][columns] = {};
    for (std::int64_t at = 0; at < args.k; at += deep) {
      const auto length = std::min(deep, args.k - at);
      for (std::int64_t p = 0; p < count; ++p)
        kernel(packed_a + ((first + p) * args.k + at) * rows, packed_b + (panel * args.k + at) * columns,
               length, sum[p]);
    }
    const auto left = panel * columns, top = first * rows;
    const auto right = std::min(args.n, left + columns), bottom = std::min(args.m, top + count * rows);
    for (auto i = top; i < bottom; ++i)
      podium::narrow(sum[(i - top) / rows][(i - top) % rows], args.c.data + i * args.n + left, right - left);
  }
};
}  // namespace
