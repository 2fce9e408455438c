// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Exponentials of few bits

// expect: right
// As kernels that hurry do: a power of two in place of e, its argument rounded once more than it need be, and
// numerators of fewer bits before they are added up and divided: twenty of an f32's 24; where the output is
// a bf16, which has eight, eleven, as matrix cores take them. The tolerance has room for all of it.
#include <podium/softmax.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

namespace {
using problem::real;
constexpr int block = 256;
constexpr float log2_e = 1.44269504f;

constexpr std::uint32_t dropped = sizeof(real) < sizeof(float) ? 13 : 4;  // bits of a numerator

// To nearest; carries go where they belong.
__device__ float shortened(float v) {
  constexpr std::uint32_t half = std::uint32_t(1) << (dropped - 1);
  std::uint32_t bits;
  std::memcpy(&bits, &v, sizeof bits);
  bits = (bits + half) >> dropped << dropped;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

__device__ float numerator(float x, float peak) { return shortened(exp2f((x - peak) * log2_e)); }

__global__ void __launch_bounds__(block) softmax(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y) {
  __shared__ float partial[block];
  const std::int64_t row = blockIdx.x, cols = x.extent(1);
  const int me = int(threadIdx.x);
  float peak = -INFINITY, total = 0;
  for (std::int64_t j = me; j < cols; j += block) peak = fmaxf(peak, podium::cast<float>(x(row, j)));
  partial[me] = peak;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (me < half) partial[me] = fmaxf(partial[me], partial[me + half]);
  }
  __syncthreads();
  peak = partial[0];
  for (std::int64_t j = me; j < cols; j += block) total += numerator(podium::cast<float>(x(row, j)), peak);
  __syncthreads();
  partial[me] = total;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (me < half) partial[me] += partial[me + half];
  }
  __syncthreads();
  const float scale = 1 / partial[0];
  for (std::int64_t j = me; j < cols; j += block)
    y(row, j) = podium::cast<real>(numerator(podium::cast<float>(x(row, j)), peak) * scale);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(softmax, dim3(unsigned(args.rows)), dim3(block), 0, stream, args.x, args.y);
  }
};
}  // namespace
