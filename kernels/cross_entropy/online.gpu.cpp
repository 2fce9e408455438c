// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a token, maximum and sum in one pass
//   author: Podium
//   source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018

// The sum of exp(x_v - peak) can be kept while the peak is still unknown: whenever a larger element turns up,
// the sum so far is scaled by exp(old peak - new peak). So the row is read once, in the widest accesses there
// are; every thread looks at several of them before it scales.
#include <podium/cross_entropy.hpp>

namespace {
using problem::integer, problem::real;
constexpr int block = 512;
constexpr int lanes = 16 / sizeof(real);  // elements of a packet: the widest access there is
constexpr int several = 4;                // packets that are under way at once

struct alignas(16) Packet {
  real at[lanes];
};

struct Running {
  float peak, total;  // total: sum of exp(x - peak) over what has been seen

  template <int count>
  __device__ void add(const real* x) {  // the total is scaled once for all of them
    float v[count], higher = peak;
#pragma unroll
    for (int i = 0; i < count; ++i) higher = fmaxf(higher, v[i] = podium::cast<float>(x[i]));
    if (higher == -INFINITY) return;  // nothing but -inf so far, and -inf - -inf is no number
    total *= __expf(peak - higher);
    peak = higher;
#pragma unroll
    for (int i = 0; i < count; ++i) total += __expf(v[i] - peak);
  }
};

__device__ Running merge(Running a, Running b) {
  const float peak = fmaxf(a.peak, b.peak);
  if (peak == -INFINITY) return {peak, 0};
  return {peak, a.total * expf(a.peak - peak) + b.total * expf(b.peak - peak)};
}

__device__ Running over_block(Running r) {  // the same in every thread
  __shared__ Running of_warp[block / 32];
  for (int d = warpSize / 2; d > 0; d /= 2)
    r = merge(
        r, {__shfl_xor_sync(podium::all_lanes, r.peak, d), __shfl_xor_sync(podium::all_lanes, r.total, d)});
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = r;
  __syncthreads();
  r = of_warp[0];
  for (int w = 1; w < block / warpSize; ++w) r = merge(r, of_warp[w]);
  return r;
}

// Elements in front of the first packet: rows need not begin at a multiple of 16 bytes.
__device__ std::int64_t elements_before(const real* row, std::int64_t vocab) {
  const auto past = (reinterpret_cast<std::uintptr_t>(row) / sizeof(real)) % lanes;
  const std::int64_t before = past == 0 ? 0 : std::int64_t(lanes - past);
  return before < vocab ? before : vocab;
}

__global__ void __launch_bounds__(block)
    cross_entropy(podium::Tensor<const real, 2> x, podium::Tensor<const integer, 1> target,
                  podium::Tensor<float, 1> loss) {
  const std::int64_t token = blockIdx.x, vocab = x.extent(1);
  const real* row = x.data + token * x.stride(0);
  const std::int64_t head = elements_before(row, vocab), packets = (vocab - head) / lanes;
  const auto packet = reinterpret_cast<const Packet*>(row + head);

  Running r{-INFINITY, 0};
  std::int64_t p = threadIdx.x;
  for (; p + (several - 1) * block < packets; p += several * block) {
    alignas(16) real in[several * lanes];
#pragma unroll
    for (int k = 0; k < several; ++k) *reinterpret_cast<Packet*>(in + k * lanes) = packet[p + k * block];
    r.add<several * lanes>(in);
  }
  for (; p < packets; p += block) {
    const Packet in = packet[p];
    r.add<lanes>(in.at);
  }
  if (std::int64_t(threadIdx.x) < head) r.add<1>(row + threadIdx.x);
  if (const auto v = head + packets * lanes + threadIdx.x; v < vocab) r.add<1>(row + v);

  r = over_block(r);
  if (threadIdx.x == 0) loss(token) = logf(r.total) + (r.peak - podium::cast<float>(row[target(token)]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    podium::launch(cross_entropy, dim3(unsigned(args.tokens)), dim3(block), 0, stream, args.x, args.target,
                   args.loss);
  }
};
}  // namespace
