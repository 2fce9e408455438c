// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::BlockReduce, rows held in registers
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit

// A row that fits a block's registers is read once and written once, which is the least there can be. Rows
// that are longer, or do not begin at multiples of 16 bytes, are read again for every pass.
#include <podium/softmax.hpp>

#include <cub/block/block_reduce.cuh>

namespace {
using problem::real;
constexpr int lanes = 16 / sizeof(real);

constexpr bool keep = sizeof(real) == sizeof(float);  // exponentials take the place of x: nothing is rounded

struct alignas(16) Packet {
  real at[lanes];
};
struct Larger {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <int threads, class Operation>
__device__ float over_block(float v, Operation operation) {  // the same in every thread
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float result;
  v = Reduce(storage).Reduce(v, operation);
  if (threadIdx.x == 0) result = v;
  __syncthreads();
  return result;
}

template <int threads, int packets>
__global__ void __launch_bounds__(threads) in_registers(const real* x, real* y, int whole) {
  const auto px = reinterpret_cast<const Packet*>(x) + std::int64_t(blockIdx.x) * whole;
  const auto py = reinterpret_cast<Packet*>(y) + std::int64_t(blockIdx.x) * whole;
  Packet in[packets];
#pragma unroll
  for (int k = 0; k < packets; ++k)
    if (const int p = k * threads + int(threadIdx.x); p < whole) in[k] = px[p];

  float peak = -INFINITY, total = 0;
#pragma unroll
  for (int k = 0; k < packets; ++k)
    if (k * threads + int(threadIdx.x) < whole)
      for (int l = 0; l < lanes; ++l) peak = fmaxf(peak, podium::cast<float>(in[k].at[l]));
  peak = over_block<threads>(peak, Larger{});

#pragma unroll
  for (int k = 0; k < packets; ++k)
    if (k * threads + int(threadIdx.x) < whole)
#pragma unroll
      for (int l = 0; l < lanes; ++l) {
        const float e = __expf(podium::cast<float>(in[k].at[l]) - peak);
        if constexpr (keep) in[k].at[l] = e;
        total += e;
      }
  const float scale = 1 / over_block<threads>(total, Sum{});

#pragma unroll
  for (int k = 0; k < packets; ++k)
    if (const int p = k * threads + int(threadIdx.x); p < whole) {
      Packet out;
#pragma unroll
      for (int l = 0; l < lanes; ++l) {
        const float v = podium::cast<float>(in[k].at[l]);
        out.at[l] = podium::cast<real>((keep ? v : __expf(v - peak)) * scale);
      }
      py[p] = out;
    }
}

template <int threads>
__global__ void __launch_bounds__(threads) from_memory(const real* x, real* y, std::int64_t cols) {
  x += blockIdx.x * cols;
  y += blockIdx.x * cols;
  float peak = -INFINITY, total = 0;
#pragma unroll 4
  for (std::int64_t j = threadIdx.x; j < cols; j += threads) peak = fmaxf(peak, podium::cast<float>(x[j]));
  peak = over_block<threads>(peak, Larger{});
#pragma unroll 4
  for (std::int64_t j = threadIdx.x; j < cols; j += threads)
    total += __expf(podium::cast<float>(x[j]) - peak);
  const float scale = 1 / over_block<threads>(total, Sum{});
#pragma unroll 4
  for (std::int64_t j = threadIdx.x; j < cols; j += threads)
    y[j] = podium::cast<real>(__expf(podium::cast<float>(x[j]) - peak) * scale);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    const std::int64_t whole = args.cols % lanes == 0 ? args.cols / lanes : INT64_MAX;
    const auto launch = [&](auto kernel, int threads, auto length) {
      podium::launch(kernel, dim3(unsigned(args.rows)), dim3(unsigned(threads)), 0, stream, args.x.data,
                     args.y.data, length);
    };
    if (whole <= 128)
      launch(in_registers<128, 1>, 128, int(whole));
    else if (whole <= 128 * 2)
      launch(in_registers<128, 2>, 128, int(whole));
    else if (whole <= 128 * 4)
      launch(in_registers<128, 4>, 128, int(whole));
    else if (whole <= 256 * 4)
      launch(in_registers<256, 4>, 256, int(whole));
    else if (whole <= 512 * 4)
      launch(in_registers<512, 4>, 512, int(whole));
    else if (whole <= 1024 * 4)
      launch(in_registers<1024, 4>, 1024, int(whole));
    else if (keep && whole <= 1024 * 8)
      launch(in_registers < 1024, keep ? 8 : 4 >, 1024, int(whole));
    else if (args.cols <= 4096)
      launch(from_memory<256>, 256, args.cols);
    else
      launch(from_memory<1024>, 1024, args.cols);
  }
};
}  // namespace
