// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block for eight rows, products in pairs of f16
//   author: Podium

// As rows.gpu.cpp, with two elements in every instruction that unpacks or multiplies. Products are multiples
// of 1/4 of at most 36; half a group's sum, at most 288, fits the eleven bits of f16 and is exact.
#include <podium/nvfp4_matvec.hpp>

#include <cub/warp/warp_reduce.cuh>

namespace {
using problem::group;
constexpr int rows = 8;  // of a block
constexpr int warp = 32, most_warps = 8;

// Nibbles `pair` and `pair` + 4 of a word, each with its sign, exponent and fraction where an f16 has its
// sign, the last two bits of its exponent and its first of fraction: the numbers times 2^-14, exactly.
__device__ __half2 moved(std::uint32_t word, int pair) {
  const std::uint32_t low = word >> (4 * pair);
  const std::uint32_t bits = (low << 12 & 0x80008000u) | (low << 9 & 0x0E000E00u);
  return *reinterpret_cast<const __half2*>(&bits);
}
// Elements of x times 2^7: no product is too small or too large then.
__device__ __half2 lifted(std::uint32_t word, int pair) {
  const __half2 up = __float2half2_rn(16384), more = __float2half2_rn(128);
  return __hmul2(__hmul2(moved(word, pair), up), more);
}
constexpr float products_lifted = 1.0f / 128;  // 2^-14 · 2^7

__global__ void __launch_bounds__(warp* most_warps) matvec(problem::Arguments args) {
  const std::int64_t groups = args.k / group, blocks_each = (args.m + rows - 1) / rows;
  const std::int64_t e = blockIdx.x / blocks_each, first = blockIdx.x % blocks_each * rows;
  const auto x = reinterpret_cast<const uint2*>(args.x.data) + e * groups;
  const podium::e4m3* x_scale = args.x_scale.data + e * groups;
  std::int64_t at[rows];  // where the rows begin, in groups; beyond the last one it is read again
#pragma unroll
  for (int r = 0; r < rows; ++r) at[r] = (e * args.m + min(first + r, args.m - 1)) * groups;

  float sum[rows] = {};
  for (std::int64_t g = threadIdx.x; g < groups; g += blockDim.x) {
    uint2 a[rows];
    podium::e4m3 a_scale[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      a[r] = __ldcs(reinterpret_cast<const uint2*>(args.a.data) + at[r] + g);  // streams: needed once
      a_scale[r] = args.a_scale.data[at[r] + g];
    }
    const uint2 packed = x[g];
    const float scale = podium::cast<float>(x_scale[g]) / products_lifted;
    __half2 b[8];
#pragma unroll
    for (int s = 0; s < 4; ++s) b[s] = lifted(packed.x, s), b[s + 4] = lifted(packed.y, s);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      __half2 part = __hmul2(moved(a[r].x, 0), b[0]);
#pragma unroll
      for (int s = 1; s < 8; ++s) part = __hfma2(moved(s < 4 ? a[r].x : a[r].y, s % 4), b[s], part);
      const float2 parts = __half22float2(part);
      sum[r] += (parts.x + parts.y) * (podium::cast<float>(a_scale[r]) * scale);
    }
  }

  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[most_warps];
  __shared__ float of_warp[rows][most_warps];
  const int thread = int(threadIdx.x), mine = thread / warp, warps = int(blockDim.x) / warp;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const float total = Reduce(storage[mine]).Sum(sum[r]);
    if (thread % warp == 0) of_warp[r][mine] = total;
    __syncwarp();
  }
  __syncthreads();
  if (thread >= rows || first + thread >= args.m) return;
  float total = 0;
  for (int w = 0; w < warps; ++w) total += of_warp[thread][w];
  args.y(e, first + thread) = podium::cast<podium::f16>(total);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.y.size() == 0) return;
    unsigned threads = warp;
    while (threads < warp * most_warps && threads < args.k / group) threads *= 2;
    const auto blocks = unsigned(args.batch * podium::ceil_div(args.m, rows));
    podium::launch(matvec, dim3(blocks), dim3(threads), 0, stream, args);
  }
};
}  // namespace
