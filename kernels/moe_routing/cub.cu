// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::WarpReduce for the choices, cub::DeviceRadixSort for the list
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit

// No library of the toolkit routes tokens in one call. A warp reduces a token's logits k times to the largest
// that is left; then all pairs are sorted by as many bits as an expert's number has, and an offset stands
// where that number changes.
#include <podium/moe_routing.hpp>

#include <cub/device/device_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>

namespace {
using podium::check;
constexpr int block = 256, lanes = 32, warps = block / lanes;

struct Choice {
  float logit;
  int at;  // -1: none
};
struct Before {
  __device__ bool operator()(Choice a, Choice b) const {
    if (a.at < 0 || b.at < 0) return b.at < 0 && a.at >= 0;
    return a.logit > b.logit || (a.logit == b.logit && a.at < b.at);
  }
};
struct First {
  __device__ Choice operator()(Choice a, Choice b) const { return Before{}(b, a) ? b : a; }
};

__global__ void __launch_bounds__(block) choose(problem::Arguments args) {
  using Reduce = cub::WarpReduce<Choice>;
  __shared__ typename Reduce::TempStorage storage[warps];
  const int warp = int(threadIdx.x) / lanes, lane = int(threadIdx.x) % lanes;
  const int experts = int(args.experts), k = int(args.k);
  const std::int64_t t = std::int64_t(blockIdx.x) * warps + warp;
  if (t >= args.tokens) return;  // the whole warp
  const problem::real* logits = args.logits.data + t * experts;
  float* weights = args.weights.data + t * k;
  Choice last{0, -1};
  float largest = 0, total = 0;
  const auto first_of_lane = [&] {  // of those that come after the last choice
    Choice mine{0, -1};
    for (int e = lane; e < experts; e += lanes) {
      const Choice here{podium::cast<float>(logits[e]), e};
      if (last.at < 0 || Before{}(last, here)) mine = First{}(mine, here);
    }
    return mine;
  };
  Choice mine = first_of_lane();
  for (int s = 0; s < k; ++s) {
    last = Reduce(storage[warp]).Reduce(mine, First{});
    last = {__shfl_sync(~0u, last.logit, 0), __shfl_sync(~0u, last.at, 0)};
    __syncwarp();
    if (s == 0) largest = last.logit;
    const float e = __expf(last.logit - largest);
    total += e;
    if (lane == s % lanes) {
      weights[s] = e;  // read back below, by this lane
      args.expert.data[t * k + s] = last.at;
    }
    if (last.at == mine.at) mine = first_of_lane();
  }
  for (int s = lane; s < k; s += lanes) weights[s] = __fdividef(weights[s], total);
}

__global__ void __launch_bounds__(block) number(std::int32_t* pairs, std::int64_t size) {
  const std::int64_t p = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (p < size) pairs[p] = std::int32_t(p);
}

// Thread p writes the offsets of all experts after that of pair p - 1, up to that of pair p.
__global__ void __launch_bounds__(block) bounds(const std::int32_t* sorted, std::int64_t size,
                                                podium::Tensor<std::int32_t, 1> offsets, int experts) {
  const std::int64_t p = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (p > size) return;
  const int from = p == 0 ? 0 : sorted[p - 1] + 1, to = p == size ? experts : sorted[p];
  for (int e = from; e <= to; ++e) offsets(e) = std::int32_t(p);
}

dim3 blocks_for(std::int64_t threads, int each) { return dim3(unsigned(podium::ceil_div(threads, each))); }

struct Contestant {
  int bits = 1;  // of an expert's number
  std::size_t bytes = 0;
  void* scratch = nullptr;
  std::int32_t *pairs = nullptr, *sorted = nullptr;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    while (std::int64_t{1} << bits < w.experts) ++bits;
    const std::int64_t size = w.tokens * w.k;
    if (size == 0) return;
    pairs = workspace.device<std::int32_t>(std::size_t(size));
    sorted = workspace.device<std::int32_t>(std::size_t(size));
    podium::launch(number, blocks_for(size, block), dim3(block), 0, stream, pairs, size);
    sort(nullptr, nullptr, size, stream);  // asks for the size of the scratch memory, no more
    scratch = workspace.device(bytes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.pairs.size();
    if (size > 0) {
      podium::launch(choose, blocks_for(args.tokens, warps), dim3(block), 0, stream, args);
      sort(args.expert.data, args.pairs.data, size, stream);
    }
    podium::launch(bounds, blocks_for(size + 1, block), dim3(block), 0, stream, sorted, size, args.offsets,
                   int(args.experts));
  }
  void sort(const std::int32_t* expert, std::int32_t* by_expert, std::int64_t size, podium::Stream stream) {
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, expert, sorted, pairs, by_expert, size, 0, bits,
                                          stream));
  }
};
}  // namespace
