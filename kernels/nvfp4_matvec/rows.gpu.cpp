// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block for eight rows, elements unpacked by shifts
//   author: Podium

// All of a has to come from memory once, x hardly counts. Each thread takes every so many groups of sixteen
// elements, unpacks those of x once and uses them for eight rows, whose loads are under way at once. A 4-bit
// float becomes a 32-bit one by moving its bits into place, times a power of two.
#include <podium/nvfp4_matvec.hpp>

namespace {
using problem::group;
constexpr int rows = 8;  // of a block
constexpr int most_threads = 256;

// Sign, two bits of exponent and one of fraction come to where a float has its sign, the last two bits of its
// exponent and its first of fraction. That is the number times 2^-126: exact, for subnormal numbers too.
__device__ float moved(std::uint32_t word, int nibble) {
  const std::uint32_t top = word << (28 - 4 * nibble);
  return __uint_as_float((top & 0x80000000u) | (top >> 6 & 0x01C00000u));
}
// Elements of x get a factor that brings their products with moved ones back among normal numbers.
constexpr float lift = 0x1p120f, products_lifted = 0x1p-6f;

__device__ float over_warp(float v) {
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(podium::all_lanes, v, d);
  return v;
}

__global__ void __launch_bounds__(most_threads) matvec(problem::Arguments args) {
  const std::int64_t groups = args.k / group, blocks_each = (args.m + rows - 1) / rows;
  const std::int64_t e = blockIdx.x / blocks_each, first = blockIdx.x % blocks_each * rows;
  const auto x = reinterpret_cast<const uint2*>(args.x.data) + e * groups;
  const podium::e4m3* x_scale = args.x_scale.data + e * groups;
  std::int64_t at[rows];  // where the rows begin, in groups; beyond the last one it is read again
#pragma unroll
  for (int r = 0; r < rows; ++r)
    at[r] = (e * args.m + (first + r < args.m ? first + r : args.m - 1)) * groups;

  float sum[rows] = {};
  for (std::int64_t g = threadIdx.x; g < groups; g += blockDim.x) {
    uint2 a[rows];
    podium::e4m3 a_scale[rows];
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      a[r] = reinterpret_cast<const uint2*>(args.a.data)[at[r] + g];
      a_scale[r] = args.a_scale.data[at[r] + g];
    }
    const uint2 packed = x[g];
    const float scale = podium::cast<float>(x_scale[g]) / products_lifted;
    float b[group];
#pragma unroll
    for (int s = 0; s < 8; ++s) {
      b[s] = moved(packed.x, s) * 0x1p126f * lift;
      b[s + 8] = moved(packed.y, s) * 0x1p126f * lift;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      float part = 0;
#pragma unroll
      for (int s = 0; s < 8; ++s) part += moved(a[r].x, s) * b[s] + moved(a[r].y, s) * b[s + 8];
      sum[r] += part * (podium::cast<float>(a_scale[r]) * scale);
    }
  }

  __shared__ float of_warp[rows][most_threads / 32];
  const int thread = int(threadIdx.x), warps = int(blockDim.x) / warpSize;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const float total = over_warp(sum[r]);
    if (thread % warpSize == 0) of_warp[r][thread / warpSize] = total;
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
    unsigned threads = 64;  // whole warps of 64 lanes too
    while (threads < most_threads && threads < args.k / group) threads *= 2;
    const auto blocks = unsigned(args.batch * podium::ceil_div(args.m, rows));
    podium::launch(matvec, dim3(blocks), dim3(threads), 0, stream, args);
  }
};
}  // namespace
