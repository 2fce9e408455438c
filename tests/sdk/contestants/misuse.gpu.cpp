// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Breaks a rule in the way that the factor says.
#include <podium/scale.hpp>

namespace {
using problem::real;

__global__ void unset(podium::Tensor<real, 2> y) {
  __shared__ float never[128];
  y(0, threadIdx.x) = podium::cast<real>(never[threadIdx.x]);
  never[threadIdx.x] = 1;
}
__global__ void beyond(podium::Tensor<real, 2> y) {
  __syncthreads();
  y(0, threadIdx.x + 1) = podium::cast<real>(0.0f);  // the last thread is outside
}
__global__ void apart() {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
}

struct Contestant {
  void run(const problem::Arguments& a, podium::Stream stream) {
    const int threads = static_cast<int>(a.cols);
    if (a.factor == 1) podium::launch(unset, dim3(1), dim3(threads), 0, stream, a.y);
    if (a.factor == 2) podium::launch(beyond, dim3(1), dim3(threads), 0, stream, a.y);
    if (a.factor == 3) podium::launch(apart, dim3(1), dim3(64), 0, stream);
  }
};
}  // namespace
