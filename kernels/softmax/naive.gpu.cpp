// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a row, three passes
//   author: Podium

// Softmax turns a row of numbers into a probability distribution: y_j = exp(x_j) / sum of all exp(x_k).
// Taking the row's maximum from every x first changes nothing in that quotient and keeps exp from
// overflowing. So: the maximum, the sum, the quotients; the row is read three times.
#include <podium/softmax.hpp>

namespace {
using problem::real;
constexpr int block = 256;

struct Larger {
  __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

template <class Operation>
__device__ float over_block(float v, Operation operation) {  // the same in every thread
  __shared__ float partial[block];
  partial[threadIdx.x] = v;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half)
      partial[threadIdx.x] = operation(partial[threadIdx.x], partial[threadIdx.x + half]);
  }
  __syncthreads();
  return partial[0];
}

__global__ void __launch_bounds__(block) softmax(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y) {
  const std::int64_t row = blockIdx.x, cols = x.extent(1);
  float peak = -INFINITY, total = 0;
  for (std::int64_t j = threadIdx.x; j < cols; j += block)
    peak = Larger{}(peak, podium::cast<float>(x(row, j)));
  peak = over_block(peak, Larger{});
  for (std::int64_t j = threadIdx.x; j < cols; j += block)
    total += expf(podium::cast<float>(x(row, j)) - peak);
  total = over_block(total, Sum{});
  for (std::int64_t j = threadIdx.x; j < cols; j += block)
    y(row, j) = podium::cast<real>(expf(podium::cast<float>(x(row, j)) - peak) / total);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(softmax, dim3(unsigned(args.rows)), dim3(block), 0, stream, args.x, args.y);
  }
};
}  // namespace
