// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a token, the sum held in registers
//   author: Podium

// x and residual are read once, residual and y written once, which is the least there can be: between the two
// passes the sum stays in registers, unrounded. Memory is accessed 16 bytes at a time; rows that are not
// multiples of that, or too long for a block's registers, are read back from the residual.
#include <podium/rms_norm.hpp>

namespace {
using problem::real;
constexpr int most_threads = 1024;
constexpr int lanes = 16 / sizeof(real);  // elements of a packet: the widest access there is

struct alignas(16) Packet {
  real at[lanes];
};

__device__ float over_block(float v) {  // the sum, the same in every thread
  __shared__ float of_warp[most_threads / 32];
  for (int d = warpSize / 2; d > 0; d /= 2) v += __shfl_xor_sync(podium::all_lanes, v, d);
  if (threadIdx.x % warpSize == 0) of_warp[threadIdx.x / warpSize] = v;
  __syncthreads();
  v = of_warp[0];
  for (int w = 1; w < int(blockDim.x) / warpSize; ++w) v += of_warp[w];
  return v;
}

__device__ float scale_of(float square, std::int64_t hidden) {
  return rsqrtf(over_block(square) / float(hidden) + float(problem::epsilon));
}

template <int packets>  // of each thread
__global__ void __launch_bounds__(most_threads)
    in_registers(const Packet* x, const Packet* weight, Packet* residual, Packet* y, int row) {
  const std::int64_t first = std::int64_t(blockIdx.x) * row;
  float sum[packets][lanes], square = 0;
#pragma unroll
  for (int k = 0; k < packets; ++k) {
    const int p = k * int(blockDim.x) + int(threadIdx.x);
    if (p >= row) break;
    const Packet a = residual[first + p], b = x[first + p];
    Packet rounded;
#pragma unroll
    for (int l = 0; l < lanes; ++l) {
      sum[k][l] = podium::cast<float>(a.at[l]) + podium::cast<float>(b.at[l]);
      rounded.at[l] = podium::cast<real>(sum[k][l]);
      square += sum[k][l] * sum[k][l];
    }
    residual[first + p] = rounded;
  }
  const float scale = scale_of(square, std::int64_t{row} * lanes);
#pragma unroll
  for (int k = 0; k < packets; ++k) {
    const int p = k * int(blockDim.x) + int(threadIdx.x);
    if (p >= row) break;
    Packet w = weight[p];
#pragma unroll
    for (int l = 0; l < lanes; ++l)
      w.at[l] = podium::cast<real>(sum[k][l] * scale * podium::cast<float>(w.at[l]));
    y[first + p] = w;
  }
}

__global__ void __launch_bounds__(most_threads)
    from_memory(const real* x, const real* weight, real* residual, real* y, std::int64_t hidden) {
  x += blockIdx.x * hidden;
  residual += blockIdx.x * hidden;
  y += blockIdx.x * hidden;
  float square = 0;
  for (std::int64_t i = threadIdx.x; i < hidden; i += blockDim.x) {
    const float sum = podium::cast<float>(residual[i]) + podium::cast<float>(x[i]);
    residual[i] = podium::cast<real>(sum);
    square += sum * sum;
  }
  const float scale = scale_of(square, hidden);
  for (std::int64_t i = threadIdx.x; i < hidden; i += blockDim.x)
    y[i] = podium::cast<real>(podium::cast<float>(residual[i]) * scale * podium::cast<float>(weight[i]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    const dim3 grid{unsigned(args.tokens)};
    const std::int64_t row = args.hidden / lanes;  // in packets
    unsigned threads = 64;                         // a whole warp everywhere
    while (threads < most_threads && row > threads * 2) threads *= 2;
    if (args.hidden % lanes != 0 || row > most_threads * 4)
      return podium::launch(from_memory, grid, dim3(threads), 0, stream, args.x.data, args.weight.data,
                            args.residual.data, args.y.data, args.hidden);
    const auto launch = [&](auto kernel) {
      const auto packets = [](auto* tensor) { return reinterpret_cast<Packet*>(tensor); };
      const auto const_packets = [](auto* tensor) { return reinterpret_cast<const Packet*>(tensor); };
      podium::launch(kernel, grid, dim3(threads), 0, stream, const_packets(args.x.data),
                     const_packets(args.weight.data), packets(args.residual.data), packets(args.y.data),
                     int(row));
    };
    if (row <= threads)
      launch(in_registers<1>);
    else if (row <= threads * 2)
      launch(in_registers<2>);
    else
      launch(in_registers<4>);
  }
};
}  // namespace
