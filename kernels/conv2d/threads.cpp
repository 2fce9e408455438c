// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, a matrix product of gathered patches
//   author: Podium
//   source: after Goto and van de Geijn, Anatomy of high-performance matrix multiplication, 2008

// With the patch of the image under the filter laid out as a row of r s c numbers, convolution is the product
// of the matrix of all patches and that of the filters. The filters are packed once; of the patches only as
// many as one register tile has rows exist at a time, in the first caches.
#include <podium/conv2d.hpp>
#include <podium/convert.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <vector>

namespace {
using problem::real;
#if defined(__AVX512F__)
constexpr int width = 16, rows = 12;
#elif defined(__AVX__)
constexpr int width = 8, rows = 6;
#else
constexpr int width = 4, rows = 6;
#endif
constexpr int vectors = 2, columns = width * vectors;  // rows x vectors registers hold sums

typedef float Vector __attribute__((vector_size(width * sizeof(float)), aligned(4)));

// sum[i][j] = the products of `depth` groups of `rows` and of `columns` numbers.
void kernel(const float* a, const float* b, std::int64_t depth, float (&sum)[rows][columns]) {
  Vector s[rows][vectors] = {};
  for (std::int64_t l = 0; l < depth; ++l, a += rows, b += columns)
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i)
      for (int v = 0; v < vectors; ++v) s[i][v] += a[i] * *reinterpret_cast<const Vector*>(b + v * width);
#pragma GCC unroll 16
  for (int i = 0; i < rows; ++i)
    for (int v = 0; v < vectors; ++v) *reinterpret_cast<Vector*>(sum[i] + v * width) = s[i][v];
}

struct Contestant {
  podium::Threads threads;
  std::int64_t depth, panels;               // r s c; of filters
  float* filters;                           // panels of depth groups of `columns` numbers
  std::vector<std::vector<float>> patches;  // depth groups of `rows` numbers for every thread, and one patch

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : depth(w.r * w.s * w.c),
        panels(podium::ceil_div(w.k, columns)),
        filters(workspace.device<float>(std::size_t(panels * columns * depth))),
        patches(std::size_t(threads.count()), std::vector<float>(std::size_t(depth * (rows + 1)))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each(panels, [&](std::int64_t panel) { pack(args, panel); });
    const auto places = args.n * args.p * args.q;
    threads.each_member([&](int member) {
      float* const packed = patches[std::size_t(member)].data();
      const auto [begin, end] = threads.share(places, rows, member);
      for (auto first = begin; first < end; first += rows)
        tile(args, first, std::min<std::int64_t>(rows, end - first), packed);
    });
  }

  void pack(const problem::Arguments& args, std::int64_t panel) const {
    std::vector<float> filter(static_cast<std::size_t>(depth));
    float* const to = filters + panel * columns * depth;
    for (int f = 0; f < columns; ++f) {
      const auto which = panel * columns + f;
      if (which < args.k) podium::widen(args.weight.data + which * depth, filter.data(), depth);
      for (std::int64_t l = 0; l < depth; ++l)
        to[l * columns + f] = which < args.k ? filter[std::size_t(l)] : 0;
    }
  }

  // The patch under the filter at one place of y, zero beyond the image's edges.
  void gather(const problem::Arguments& args, std::int64_t place, float* patch) const {
    const auto j = place % args.q, i = place / args.q % args.p, b = place / args.q / args.p;
    for (std::int64_t u = 0; u < args.r; ++u)
      for (std::int64_t v = 0; v < args.s; ++v, patch += args.c) {
        const auto row = i * args.stride + u - args.pad, column = j * args.stride + v - args.pad;
        if (row < 0 || row >= args.h || column < 0 || column >= args.w)
          std::fill(patch, patch + args.c, 0.0f);
        else
          podium::widen(args.x.data + ((b * args.h + row) * args.w + column) * args.c, patch, args.c);
      }
  }

  void tile(const problem::Arguments& args, std::int64_t first, std::int64_t count, float* packed) const {
    float* const patch = packed + depth * rows;
    for (std::int64_t t = 0; t < count; ++t) {
      gather(args, first + t, patch);
      for (std::int64_t l = 0; l < depth; ++l) packed[l * rows + t] = patch[l];
    }
    for (std::int64_t panel = 0; panel < panels; ++panel) {
      alignas(64) float sum[rows][columns];
      kernel(packed, filters + panel * columns * depth, depth, sum);
      const auto left = panel * columns, length = std::min<std::int64_t>(columns, args.k - left);
      for (std::int64_t t = 0; t < count; ++t)
        podium::narrow(sum[t], args.y.data + (first + t) * args.k + left, length);
    }
  }
};
}  // namespace
