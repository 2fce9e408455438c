// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a row, maximum and sum in one pass
//   author: Podium
//   source: Milakov and Gimelshein, Online normalizer calculation for softmax, 2018

// The sum of exp(x_j - peak) can be kept while the peak is still unknown: whenever a larger element turns up,
// the sum so far is scaled by exp(old peak - new peak). The row is then read twice instead of three times,
// and with enough threads a row, so that few rows are under way at once, the second time from the cache.
#include <podium/softmax.hpp>

namespace {
using problem::real;
constexpr int most_threads = 512;
constexpr int blocks_at_once = 4;  // so few registers that four of the largest blocks share a multiprocessor
constexpr int packets_each = 8;    // of a row, by one thread
constexpr int lanes = 16 / sizeof(real);  // elements of a packet: the widest access there is

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
    total *= expf(peak - higher);
    peak = higher;
#pragma unroll
    for (int i = 0; i < count; ++i) total += expf(v[i] - peak);
  }
};

__device__ Running merge(Running a, Running b) {
  const float peak = fmaxf(a.peak, b.peak);
  if (peak == -INFINITY) return {peak, 0};
  return {peak, a.total * expf(a.peak - peak) + b.total * expf(b.peak - peak)};
}

__device__ Running over_block(Running r) {  // the same in every thread
  __shared__ Running of_warp[most_threads / 32];
  for (int d = warpSize / 2; d > 0; d /= 2)
    r = merge(
        r, {__shfl_xor_sync(podium::all_lanes, r.peak, d), __shfl_xor_sync(podium::all_lanes, r.total, d)});
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = r;
  __syncthreads();
  r = of_warp[0];
  for (int w = 1; w < int(blockDim.x) / warpSize; ++w) r = merge(r, of_warp[w]);
  return r;
}

// Elements in front of the first packet: rows need not begin at a multiple of 16 bytes.
__device__ std::int64_t elements_before(const real* row, std::int64_t cols) {
  const auto past = (reinterpret_cast<std::uintptr_t>(row) / sizeof(real)) % lanes;
  const std::int64_t before = past == 0 ? 0 : std::int64_t(lanes - past);
  return before < cols ? before : cols;
}

__global__ void __launch_bounds__(most_threads, blocks_at_once)
    softmax(podium::Tensor<const real, 2> input, podium::Tensor<real, 2> output) {
  const std::int64_t row = blockIdx.x, cols = input.extent(1), step = blockDim.x;
  const real* x = input.data + row * input.stride(0);
  real* y = output.data + row * output.stride(0);
  const std::int64_t head = elements_before(x, cols), packets = (cols - head) / lanes,
                     tail = head + packets * lanes;
  const auto px = reinterpret_cast<const Packet*>(x + head);
  const auto py = reinterpret_cast<Packet*>(y + head);  // x and y have equal shapes, hence equal alignment

  Running r{-INFINITY, 0};
  for (std::int64_t j = threadIdx.x; j < head; j += step) r.add<1>(x + j);
#pragma unroll 4
  for (std::int64_t p = threadIdx.x; p < packets; p += step) {
    const Packet packet = px[p];
    r.add<lanes>(packet.at);
  }
  for (std::int64_t j = tail + threadIdx.x; j < cols; j += step) r.add<1>(x + j);
  r = over_block(r);

  const float scale = 1 / r.total;
  const auto result = [&](real v) {
    return podium::cast<real>(expf(podium::cast<float>(v) - r.peak) * scale);
  };
  for (std::int64_t j = threadIdx.x; j < head; j += step) y[j] = result(x[j]);
#pragma unroll 4
  for (std::int64_t p = threadIdx.x; p < packets; p += step) {
    Packet packet = px[p];
#pragma unroll
    for (int l = 0; l < lanes; ++l) packet.at[l] = result(packet.at[l]);
    py[p] = packet;
  }
  for (std::int64_t j = tail + threadIdx.x; j < cols; j += step) y[j] = result(x[j]);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    unsigned threads = 128;  // whole warps of 64 lanes too
    while (threads < most_threads && args.cols > std::int64_t(threads) * lanes * packets_each) threads *= 2;
    podium::launch(softmax, dim3(unsigned(args.rows)), dim3(threads), 0, stream, args.x, args.y);
  }
};
}  // namespace
