// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Block sums; the block that finishes last adds them up
//   author: Podium

// One launch instead of two: every block leaves its sum in scratch memory and then draws a number. Who draws
// the highest knows that all others are done, and adds up what they left, in a fixed order: the result is the
// same each time, which atomic additions do not promise.
#include <podium/sum.hpp>

namespace {
constexpr int block = 256;
constexpr int lanes = 4;                    // elements of a packet of 16 bytes
constexpr int packets = 4;                  // in flight, for each thread
constexpr int tile = block * packets;       // packets that a block reads at a time
constexpr std::int64_t most_blocks = 2048;  // about two for every place on today's largest devices

struct alignas(16) Packet {
  float at[lanes];
  __device__ float sum() const { return (at[0] + at[1]) + (at[2] + at[3]); }
};

__device__ float block_sum(float v) {  // in thread 0
  __shared__ float of_warp[block / 32];
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(podium::all_lanes, v, d);
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = v;
  __syncthreads();
  v = 0;
  if (threadIdx.x == 0)
    for (int w = 0; w < block / warpSize; ++w) v += of_warp[w];
  return v;
}

__device__ float strided_sum(const float* x, std::int64_t n) {
  const auto packet = reinterpret_cast<const Packet*>(x);
  const std::int64_t whole = n / lanes, step = std::int64_t(gridDim.x) * tile;
  float total[packets] = {};
  std::int64_t first = std::int64_t(blockIdx.x) * tile;
  for (; first + tile <= whole; first += step) {
    Packet p[packets];
#pragma unroll
    for (int k = 0; k < packets; ++k) p[k] = packet[first + k * block + threadIdx.x];
#pragma unroll
    for (int k = 0; k < packets; ++k) total[k] += p[k].sum();
  }
  // What fills no tile belongs to the one block whose turn it would have been.
  if (first <= whole) {
    for (std::int64_t i = first + threadIdx.x; i < whole; i += block) total[0] += packet[i].sum();
    for (std::int64_t i = whole * lanes + threadIdx.x; i < n; i += block) total[1] += x[i];
  }
  return (total[0] + total[1]) + (total[2] + total[3]);
}

__global__ void __launch_bounds__(block)
    sum(const float* x, float* y, std::int64_t n, float* partial, unsigned* finished) {
  __shared__ bool last;
  const float mine = block_sum(strided_sum(x, n));
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();  // the partial sum is there before the number is drawn
    last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  const volatile float* sums = partial;
  float v = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += block) v += sums[i];
  v = block_sum(v);
  if (threadIdx.x == 0) {
    *y = v;
    *finished = 0;  // ready for the next call
  }
}

struct Contestant {
  float* partial;
  unsigned* finished;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : partial(workspace.device<float>(most_blocks)), finished(workspace.device<unsigned>(1)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto tiles = podium::ceil_div(args.n, std::int64_t(tile) * lanes);
    const auto blocks = tiles < 1 ? 1 : tiles < most_blocks ? tiles : most_blocks;
    podium::launch(sum, dim3(unsigned(blocks)), dim3(block), 0, stream, args.x.data, args.y.data, args.n,
                   partial, finished);
  }
};
}  // namespace
