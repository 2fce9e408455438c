// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A tree in shared memory, one atomic addition a block
//   author: Podium

// The sum of all elements. Threads of a block add in pairs until one number is left, and the block adds that
// to the result. The result has to be set to zero first: what it holds before the call is nothing to build
// on.
#include <podium/sum.hpp>

namespace {
constexpr int block = 256;

__global__ void clear(float* y) { *y = 0; }

__global__ void __launch_bounds__(block) sum(const float* x, float* y, std::int64_t n) {
  __shared__ float partial[block];
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  partial[threadIdx.x] = i < n ? x[i] : 0.0f;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(y, partial[0]);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(clear, dim3(1), dim3(1), 0, stream, args.y.data);
    if (args.n == 0) return;  // the empty sum is 0
    podium::launch(sum, dim3(unsigned(podium::ceil_div(args.n, block))), dim3(block), 0, stream, args.x.data,
                   args.y.data, args.n);
  }
};
}  // namespace
