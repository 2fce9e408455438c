// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Radix sort, least significant digit first, 8 bits a pass
//   author: Podium
//   source: after Satish, Harris and Garland, Designing efficient sorting algorithms for manycore GPUs, 2009

// Four passes sort by one digit of 8 bits each, from the lowest to the highest; since every pass keeps the
// order of equal digits, the whole is sorted at the end. A pass has three launches:
//   count    every block counts the digits of its tile;
//   scan     those counts become, for each digit, the number of its elements in all earlier tiles;
//   scatter  every block sorts its tile by that digit in shared memory and writes it out, in runs of equal
//   digits.
// A float is compared like an unsigned integer once the sign bit is flipped and, if negative, all others too.
#include <podium/sort.hpp>

namespace {
constexpr int digits = 256, passes = 4;
constexpr int block = 512;
constexpr int items = 16;                 // of each thread
constexpr int tile = block * items;       // elements of a block
constexpr unsigned most_scanners = 1024;  // threads of a block that scans

__device__ unsigned key_of(float v) {
  unsigned bits;
  std::memcpy(&bits, &v, sizeof bits);
  return bits ^ (bits >> 31 ? 0xffffffffu : 0x80000000u);
}
__device__ float value_of(unsigned key) {
  const unsigned bits = key ^ (key >> 31 ? 0x80000000u : 0xffffffffu);
  float v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}
__device__ unsigned digit_of(unsigned key, int shift) { return key >> shift & (digits - 1); }

// Sum of v over the threads of the block up to and including this one. `of_warp` is shared, 32 places; nobody
// may use it again before the next barrier.
__device__ unsigned inclusive_scan(unsigned v, unsigned* of_warp) {
  const int lane = int(threadIdx.x) % warpSize, warp = int(threadIdx.x) / warpSize;
  for (int d = 1; d < warpSize; d *= 2) {
    const unsigned before = __shfl_up_sync(podium::all_lanes, v, d);
    if (lane >= d) v += before;
  }
  if (lane == warpSize - 1) of_warp[warp] = v;
  __syncthreads();
  for (int w = 0; w < warp; ++w) v += of_warp[w];
  return v;
}

// counts[digit][block]
__global__ void __launch_bounds__(block) count(const float* in, std::int64_t n, int shift, unsigned* counts) {
  __shared__ unsigned bins[digits];
  if (threadIdx.x < digits) bins[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t first = std::int64_t(blockIdx.x) * tile + threadIdx.x;
#pragma unroll
  for (int i = 0; i < items; ++i)
    if (first + i * block < n) atomicAdd(&bins[digit_of(key_of(in[first + i * block]), shift)], 1u);
  __syncthreads();
  if (threadIdx.x < digits) counts[std::int64_t(threadIdx.x) * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

// A block a digit: its row of counts becomes their exclusive scan; totals[digit] the sum.
__global__ void __launch_bounds__(most_scanners) scan(unsigned* counts, unsigned blocks, unsigned* totals) {
  __shared__ unsigned of_warp[32], sum;
  unsigned* row = counts + std::int64_t(blockIdx.x) * blocks;
  unsigned before = 0;
  for (unsigned at = 0; at < blocks; at += blockDim.x) {
    const unsigned i = at + threadIdx.x, mine = i < blocks ? row[i] : 0;
    const unsigned upto = inclusive_scan(mine, of_warp);
    if (i < blocks) row[i] = before + upto - mine;
    if (threadIdx.x == blockDim.x - 1) sum = upto;
    __syncthreads();
    before += sum;
    __syncthreads();
  }
  if (threadIdx.x == 0) totals[blockIdx.x] = before;
}

// For the digit of this lane: how many lanes of the warp below it have the same, how many in all, and who is
// first.
struct Peers {
  int below, all, first;
};
__device__ Peers peers_of(unsigned digit) {
  using Mask = unsigned long long;
  Mask same = __ballot_sync(podium::all_lanes, true);
#pragma unroll
  for (int bit = 1; bit < digits; bit *= 2) {
    const Mask set = __ballot_sync(podium::all_lanes, (digit & bit) != 0);
    same &= digit & bit ? set : ~set;
  }
  const Mask lower = (Mask{1} << (threadIdx.x % warpSize)) - 1, first = same & (~same + 1);
  return {int(__popcll(same & lower)), int(__popcll(same)), int(__popcll(first - 1))};
}

__global__ void __launch_bounds__(block) scatter(const float* in, float* out, std::int64_t n, int shift,
                                                 const unsigned* offsets, const unsigned* totals) {
  constexpr int most_warps = block / 32;
  static_assert(most_warps * digits <= tile);
  __shared__ unsigned shared[tile];  // counters of every warp at first, the sorted keys in the end
  __shared__ unsigned start[digits], target[digits], of_warp[2][32];
  const int lane = int(threadIdx.x) % warpSize, warp = int(threadIdx.x) / warpSize, warps = block / warpSize;
  for (int i = int(threadIdx.x); i < warps * digits; i += block) shared[i] = 0;
  __syncthreads();

  // A warp owns a stretch of the tile and walks along it, so that counting keeps the order. What lies beyond
  // the end gets the largest key, and so comes after all that is really there.
  const std::int64_t tile_first = std::int64_t(blockIdx.x) * tile,
                     first = tile_first + warp * warpSize * items + lane;
  unsigned key[items], rank[items];
#pragma unroll
  for (int i = 0; i < items; ++i)
    key[i] = first + i * warpSize < n ? key_of(in[first + i * warpSize]) : 0xffffffffu;
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned digit = digit_of(key[i], shift);
    const Peers peers = peers_of(digit);
    unsigned before = 0;
    if (lane == peers.first) before = atomicAdd(&shared[warp * digits + digit], unsigned(peers.all));
    rank[i] = __shfl_sync(podium::all_lanes, before, peers.first) + peers.below;
  }
  __syncthreads();

  // Per digit: what earlier warps have, where its run begins in the tile, where it goes in the output.
  const bool counts_digit = threadIdx.x < digits;
  unsigned in_tile = 0;
  if (counts_digit)
    for (int w = 0; w < warps; ++w) {
      const unsigned c = shared[w * digits + threadIdx.x];
      shared[w * digits + threadIdx.x] = in_tile;
      in_tile += c;
    }
  const unsigned in_all = counts_digit ? totals[threadIdx.x] : 0;
  const unsigned tile_start = inclusive_scan(in_tile, of_warp[0]) - in_tile;
  const unsigned all_start = inclusive_scan(in_all, of_warp[1]) - in_all;
  if (counts_digit) {
    start[threadIdx.x] = tile_start;
    target[threadIdx.x] =
        all_start + offsets[std::int64_t(threadIdx.x) * gridDim.x + blockIdx.x] - tile_start;
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned digit = digit_of(key[i], shift);
    rank[i] += start[digit] + shared[warp * digits + digit];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) shared[rank[i]] = key[i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const unsigned at = i * block + threadIdx.x, sorted = shared[at];
    if (tile_first + at < n) out[std::int64_t(target[digit_of(sorted, shift)] + at)] = value_of(sorted);
  }
}

struct Contestant {
  unsigned blocks = 0, scanners = 64;
  float* other = nullptr;
  unsigned *counts = nullptr, *totals = nullptr;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    podium::require(w.n < std::int64_t{1} << 32, "positions are counted in 32 bits");
    if (w.n == 0) return;
    blocks = unsigned(podium::ceil_div(w.n, tile));
    while (scanners < blocks && scanners < most_scanners) scanners *= 2;
    other = workspace.device<float>(std::size_t(w.n));
    counts = workspace.device<unsigned>(std::size_t(digits) * blocks);
    totals = workspace.device<unsigned>(digits);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    static_assert(passes % 2 == 0, "the last pass must write y");
    const float* in = args.x.data;
    float* out = other;
    for (int pass = 0; pass < passes; ++pass) {
      const int shift = 8 * pass;
      podium::launch(count, dim3(blocks), dim3(block), 0, stream, in, args.n, shift, counts);
      podium::launch(scan, dim3(digits), dim3(scanners), 0, stream, counts, blocks, totals);
      podium::launch(scatter, dim3(blocks), dim3(block), 0, stream, in, out, args.n, shift, counts, totals);
      in = out;
      out = out == other ? args.y.data : other;
    }
  }
};
}  // namespace
