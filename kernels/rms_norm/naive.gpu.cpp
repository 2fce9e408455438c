// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a token, two passes
//   author: Podium

// A transformer adds the output of each layer to the residual stream and scales the sum to a root mean square
// of 1 before the next layer reads it. So: add and sum up the squares; scale. In the second pass every thread
// reads back what it wrote itself in the first, hence without a barrier.
#include <podium/rms_norm.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__device__ float over_block(float v) {  // the sum, the same in every thread
  __shared__ float partial[block];
  partial[threadIdx.x] = v;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  __syncthreads();
  return partial[0];
}

__global__ void __launch_bounds__(block)
    rms_norm(podium::Tensor<const real, 2> x, podium::Tensor<const real, 1> weight,
             podium::Tensor<real, 2> residual, podium::Tensor<real, 2> y) {
  const std::int64_t t = blockIdx.x, hidden = x.extent(1);
  float square = 0;
  for (std::int64_t i = threadIdx.x; i < hidden; i += block) {
    const float sum = podium::cast<float>(residual(t, i)) + podium::cast<float>(x(t, i));
    residual(t, i) = podium::cast<real>(sum);
    square += sum * sum;
  }
  const float rms = sqrtf(over_block(square) / float(hidden) + float(problem::epsilon));
  for (std::int64_t i = threadIdx.x; i < hidden; i += block)
    y(t, i) = podium::cast<real>(podium::cast<float>(residual(t, i)) / rms * podium::cast<float>(weight(i)));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    podium::launch(rms_norm, dim3(unsigned(args.tokens)), dim3(block), 0, stream, args.x, args.weight,
                   args.residual, args.y);
  }
};
}  // namespace
