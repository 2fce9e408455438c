// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One warp a token, counters of a block in shared memory
//   author: Podium

// Each lane of a warp remembers the largest logit of its own experts. In every round the largest of the lanes
// is taken, and only the lane that had it looks again. Pairs are counted, and their places handed out, by
// expert in shared memory first, so that a block asks the counters of the whole device once for all its
// pairs.
#include <podium/moe_routing.hpp>

namespace {
constexpr int block = 256, most_blocks = 2048;
constexpr int items = 8;  // pairs of a thread that places
constexpr int most_experts = 8192;

struct Choice {
  float logit;
  int at;  // -1: none
};
__device__ bool before(Choice a, Choice b) {
  if (a.at < 0 || b.at < 0) return b.at < 0 && a.at >= 0;
  return a.logit > b.logit || (a.logit == b.logit && a.at < b.at);
}

// The first of this lane's experts that comes after `last`.
__device__ Choice first_of_lane(const problem::real* logits, int experts, int lane, Choice last) {
  Choice mine{0, -1};
  for (int e = lane; e < experts; e += warpSize) {
    const Choice here{podium::cast<float>(logits[e]), e};
    if ((last.at < 0 || before(last, here)) && before(here, mine)) mine = here;
  }
  return mine;
}
__device__ Choice first_of_warp(Choice c) {
  for (int d = warpSize / 2; d > 0; d /= 2) {
    const Choice other{__shfl_xor_sync(podium::all_lanes, c.logit, d),
                       __shfl_xor_sync(podium::all_lanes, c.at, d)};
    if (before(other, c)) c = other;
  }
  return c;
}

__global__ void __launch_bounds__(block) choose(problem::Arguments args, std::int32_t* count) {
  PODIUM_DYNAMIC_SHARED(int, of_block);
  const int experts = int(args.experts), k = int(args.k);
  for (int e = int(threadIdx.x); e < experts; e += block) of_block[e] = 0;
  __syncthreads();
  const int lane = int(threadIdx.x) % warpSize, warps = block / warpSize;
  for (std::int64_t t = std::int64_t(blockIdx.x) * warps + threadIdx.x / warpSize; t < args.tokens;
       t += std::int64_t(gridDim.x) * warps) {
    const problem::real* logits = args.logits.data + t * experts;
    float* weights = args.weights.data + t * k;
    Choice mine = first_of_lane(logits, experts, lane, {0, -1});
    float largest = 0, total = 0;
    for (int s = 0; s < k; ++s) {
      const Choice best = first_of_warp(mine);
      if (s == 0) largest = best.logit;
      const float e = expf(best.logit - largest);
      total += e;
      if (lane == s % warpSize) {
        weights[s] = e;  // read back below, by this lane
        args.expert.data[t * k + s] = best.at;
        atomicAdd(&of_block[best.at], 1);
      }
      if (best.at == mine.at) mine = first_of_lane(logits, experts, lane, best);
    }
    for (int s = lane; s < k; s += warpSize) weights[s] /= total;
  }
  __syncthreads();
  for (int e = int(threadIdx.x); e < experts; e += block)
    if (of_block[e] > 0) atomicAdd(&count[e], of_block[e]);
}

__global__ void __launch_bounds__(block) clear(std::int32_t* next, int experts) {
  for (int e = int(threadIdx.x); e < experts; e += block) next[e] = 0;
}

// Counts become places that are still to be handed out.
__global__ void __launch_bounds__(block)
    add_up(podium::Tensor<std::int32_t, 1> offsets, std::int32_t* next, int experts) {
  __shared__ std::int32_t sum[block];
  std::int32_t before = 0;
  for (int first = 0; first < experts; first += block) {
    const int e = first + int(threadIdx.x);
    const std::int32_t mine = e < experts ? next[e] : 0;
    sum[threadIdx.x] = mine;
    __syncthreads();
    for (int d = 1; d < block; d *= 2) {
      const std::int32_t lower = int(threadIdx.x) >= d ? sum[threadIdx.x - d] : 0;
      __syncthreads();
      sum[threadIdx.x] += lower;
      __syncthreads();
    }
    if (e < experts) offsets(e) = next[e] = before + sum[threadIdx.x] - mine;
    before += sum[block - 1];
    __syncthreads();
  }
  if (threadIdx.x == 0) offsets(experts) = before;
}

__global__ void __launch_bounds__(block) place(problem::Arguments args, std::int32_t* next) {
  PODIUM_DYNAMIC_SHARED(int, of_block);  // counts, then places
  const int experts = int(args.experts);
  for (int e = int(threadIdx.x); e < experts; e += block) of_block[e] = 0;
  __syncthreads();
  const std::int64_t first = std::int64_t(blockIdx.x) * block * items + threadIdx.x, size = args.pairs.size();
  int expert[items], rank[items];
#pragma unroll
  for (int i = 0; i < items; ++i)
    if (const std::int64_t p = first + i * block; p < size)
      rank[i] = atomicAdd(&of_block[expert[i] = args.expert.data[p]], 1);
  __syncthreads();
  for (int e = int(threadIdx.x); e < experts; e += block)
    if (of_block[e] > 0) of_block[e] = atomicAdd(&next[e], of_block[e]);
  __syncthreads();
#pragma unroll
  for (int i = 0; i < items; ++i)
    if (const std::int64_t p = first + i * block; p < size)
      args.pairs(of_block[expert[i]] + rank[i]) = std::int32_t(p);
}

struct Contestant {
  std::int32_t* next;  // first how many, then where the next goes, of each expert

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    podium::require(w.experts <= most_experts, "a block counts up to 8192 experts in shared memory");
    next = workspace.device<std::int32_t>(std::size_t(w.experts));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const int experts = int(args.experts);
    const std::size_t shared = args.experts * sizeof(int);
    const std::int64_t choosers = podium::ceil_div(args.tokens, block / 32);
    podium::launch(clear, dim3(1), dim3(block), 0, stream, next, experts);
    if (args.tokens > 0)
      podium::launch(choose, dim3(unsigned(choosers < most_blocks ? choosers : most_blocks)), dim3(block),
                     shared, stream, args, next);
    podium::launch(add_up, dim3(1), dim3(block), 0, stream, args.offsets, next, experts);
    if (args.tokens > 0)
      podium::launch(place, dim3(unsigned(podium::ceil_div(args.pairs.size(), block * items))), dim3(block),
                     shared, stream, args, next);
  }
};
}  // namespace
