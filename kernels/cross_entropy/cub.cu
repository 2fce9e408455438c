// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::BlockReduce of maximum and sum, one pass
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit; the pair after Milakov and
//     Gimelshein, Online normalizer calculation for softmax, 2018

// Each thread keeps the maximum of what it has read and the sum of exponentials relative to it; cub combines
// these pairs over the block. The row is read once, which is the least there can be.
#include <podium/cross_entropy.hpp>

#include <cub/block/block_reduce.cuh>

namespace {
using problem::integer, problem::real;
constexpr int lanes = 16 / sizeof(real);  // elements of a packet: the widest access there is
constexpr int several = 4;                // packets that are under way at once

struct alignas(16) Packet {
  real at[lanes];
};

struct Running {
  float peak = -INFINITY, total = 0;  // total: sum of exp(x - peak) over what has been seen

  template <int count>
  __device__ void add(const real* x) {
    float v[count], higher = peak;
#pragma unroll
    for (int i = 0; i < count; ++i) higher = fmaxf(higher, v[i] = podium::cast<float>(x[i]));
    if (higher == -INFINITY) return;  // nothing but -inf so far, and -inf - -inf is no number
    float more = total * __expf(peak - higher);
#pragma unroll
    for (int i = 0; i < count; ++i) more += __expf(v[i] - higher);
    *this = {higher, more};
  }
};

struct Merge {
  __device__ Running operator()(const Running& a, const Running& b) const {
    const bool first = a.peak > b.peak;
    const Running &high = first ? a : b, &low = first ? b : a;
    if (high.peak == -INFINITY) return high;
    return {high.peak, high.total + low.total * __expf(low.peak - high.peak)};
  }
};

template <int threads>
__global__ void __launch_bounds__(threads)
    cross_entropy(const real* x, const integer* target, float* loss, std::int64_t vocab) {
  using Reduce = cub::BlockReduce<Running, threads>;
  __shared__ typename Reduce::TempStorage storage;
  const int thread = int(threadIdx.x);
  x += blockIdx.x * vocab;

  // Rows need not begin at a multiple of 16 bytes.
  const auto past = (reinterpret_cast<std::uintptr_t>(x) / sizeof(real)) % lanes;
  const std::int64_t head = min(vocab, std::int64_t(past == 0 ? 0 : lanes - past));
  const std::int64_t packets = (vocab - head) / lanes, tail = head + packets * lanes;
  const auto packet = reinterpret_cast<const Packet*>(x + head);

  Running r;
  if (thread < head) r.add<1>(x + thread);
  if (thread < vocab - tail) r.add<1>(x + tail + thread);
  std::int64_t p = thread;
  for (; p + (several - 1) * threads < packets; p += several * threads) {
    alignas(16) real in[several * lanes];
#pragma unroll
    for (int k = 0; k < several; ++k) *reinterpret_cast<Packet*>(in + k * lanes) = packet[p + k * threads];
    r.add<several * lanes>(in);
  }
  for (; p < packets; p += threads) {
    const Packet in = packet[p];
    r.add<lanes>(in.at);
  }
  r = Reduce(storage).Reduce(r, Merge{});
  if (thread == 0) loss[blockIdx.x] = __logf(r.total) + (r.peak - podium::cast<float>(x[target[blockIdx.x]]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    const auto launch = [&](auto kernel, int threads) {
      podium::launch(kernel, dim3(unsigned(args.tokens)), dim3(unsigned(threads)), 0, stream, args.x.data,
                     args.target.data, args.loss.data, args.vocab);
    };
    if (args.vocab <= 4096)
      launch(cross_entropy<128>, 128);
    else
      launch(cross_entropy<512>, 512);
  }
};
}  // namespace
