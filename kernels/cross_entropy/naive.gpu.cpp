// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a token, two passes
//   author: Podium

// A token's loss is -log of the probability that softmax gives to the class it should have: log(sum of all
// exp(x_v)) - x_target. Taking the row's maximum from every x first, and adding it again, changes nothing in
// that difference and keeps exp from overflowing. So: the maximum, then the sum; the row is read twice.
#include <podium/cross_entropy.hpp>

namespace {
using problem::integer, problem::real;
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

__global__ void __launch_bounds__(block)
    cross_entropy(podium::Tensor<const real, 2> x, podium::Tensor<const integer, 1> target,
                  podium::Tensor<float, 1> loss) {
  const std::int64_t token = blockIdx.x, vocab = x.extent(1);
  float peak = -INFINITY, total = 0;
  for (std::int64_t v = threadIdx.x; v < vocab; v += block)
    peak = Larger{}(peak, podium::cast<float>(x(token, v)));
  peak = over_block(peak, Larger{});
  for (std::int64_t v = threadIdx.x; v < vocab; v += block)
    total += expf(podium::cast<float>(x(token, v)) - peak);
  total = over_block(total, Sum{});
  if (threadIdx.x == 0) loss(token) = logf(total) + (peak - podium::cast<float>(x(token, target(token))));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.tokens == 0) return;
    podium::launch(cross_entropy, dim3(unsigned(args.tokens)), dim3(block), 0, stream, args.x, args.target,
                   args.loss);
  }
};
}  // namespace
