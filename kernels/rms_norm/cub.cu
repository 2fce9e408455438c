// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cub::BlockReduce, a row in the registers of a block made to fit
//   author: Podium
//   source: https://github.com/NVIDIA/cccl, as it comes with the CUDA toolkit

// No library of the toolkit has this operation in one call; cub::BlockLoad, BlockReduce and BlockStore are
// its bricks. The block's size is known to the compiler, so that everything unrolls; rows that are longer, or
// do not begin at multiples of 16 bytes, are read back from the residual.
#include <podium/rms_norm.hpp>

#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_store.cuh>

namespace {
using problem::real;
constexpr int lanes = 16 / sizeof(real);

template <int threads>
__device__ float scale_of(float square, std::int64_t hidden) {
  using Reduce = cub::BlockReduce<float, threads>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float scale;
  square = Reduce(storage).Sum(square);
  if (threadIdx.x == 0) scale = rsqrtf(square / float(hidden) + float(problem::epsilon));
  __syncthreads();
  return scale;
}

struct alignas(16) Packet {
  real at[lanes];
};

template <int threads, int packets>
__global__ void __launch_bounds__(threads)
    in_registers(const real* x, const real* weight, real* residual, real* y, int row) {
  const std::int64_t first = std::int64_t(blockIdx.x) * row * lanes;
  const int thread = int(threadIdx.x);
  Packet a[packets] = {}, b[packets] = {};
  cub::LoadDirectStriped<threads>(thread, reinterpret_cast<const Packet*>(residual + first), a, row);
  cub::LoadDirectStriped<threads>(thread, reinterpret_cast<const Packet*>(x + first), b, row);
  float sum[packets][lanes], square = 0;  // what lies beyond the row is 0
#pragma unroll
  for (int k = 0; k < packets; ++k)
#pragma unroll
    for (int l = 0; l < lanes; ++l) {
      sum[k][l] = podium::cast<float>(a[k].at[l]) + podium::cast<float>(b[k].at[l]);
      a[k].at[l] = podium::cast<real>(sum[k][l]);
      square += sum[k][l] * sum[k][l];
    }
  cub::StoreDirectStriped<threads>(thread, reinterpret_cast<Packet*>(residual + first), a, row);
  cub::LoadDirectStriped<threads>(thread, reinterpret_cast<const Packet*>(weight), b, row);
  const float scale = scale_of<threads>(square, std::int64_t{row} * lanes);
#pragma unroll
  for (int k = 0; k < packets; ++k)
#pragma unroll
    for (int l = 0; l < lanes; ++l)
      a[k].at[l] = podium::cast<real>(sum[k][l] * scale * podium::cast<float>(b[k].at[l]));
  cub::StoreDirectStriped<threads>(thread, reinterpret_cast<Packet*>(y + first), a, row);
}

template <int threads>
__global__ void __launch_bounds__(threads)
    from_memory(const real* x, const real* weight, real* residual, real* y, std::int64_t hidden) {
  x += blockIdx.x * hidden;
  residual += blockIdx.x * hidden;
  y += blockIdx.x * hidden;
  float square = 0;
  for (std::int64_t i = threadIdx.x; i < hidden; i += threads) {
    const float sum = podium::cast<float>(residual[i]) + podium::cast<float>(x[i]);
    residual[i] = podium::cast<real>(sum);
    square += sum * sum;
  }
  const float scale = scale_of<threads>(square, hidden);
  for (std::int64_t i = threadIdx.x; i < hidden; i += threads)
    y[i] = podium::cast<real>(podium::cast<float>(residual[i]) * scale * podium::cast<float>(weight[i]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    const auto launch = [&](auto kernel, int threads, auto length) {
      podium::launch(kernel, dim3(unsigned(args.tokens)), dim3(unsigned(threads)), 0, stream, args.x.data,
                     args.weight.data, args.residual.data, args.y.data, length);
    };
    const std::int64_t row = args.hidden % lanes == 0 ? args.hidden / lanes : INT64_MAX;  // in packets
    if (row <= 128)
      launch(in_registers<128, 1>, 128, int(row));
    else if (row <= 256)
      launch(in_registers<128, 2>, 128, int(row));
    else if (row <= 512)
      launch(in_registers<256, 2>, 256, int(row));
    else if (row <= 1024)
      launch(in_registers<512, 2>, 512, int(row));
    else if (row <= 2048)
      launch(in_registers<1024, 2>, 1024, int(row));
    else if (row <= 4096)
      launch(in_registers<1024, 4>, 1024, int(row));
    else
      launch(from_memory<512>, 512, args.hidden);
  }
};
}  // namespace
