// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A program for fatbin_test.py, which compresses its kernel in every way: it says what came of a launch.
#include <cuda_runtime_api.h>

#include <cstdio>

namespace {
// Long enough for PTX that is worth compressing.
__global__ void squares(int* to, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = i * i;
}
}  // namespace

int main() {
  constexpr int n = 100;
  int* device = nullptr;
  static int host[n];
  cudaMalloc(&device, sizeof host);
  squares<<<2, 64>>>(device, n);
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault);
  int right = 0;
  for (int i = 0; i < n; ++i) right += host[i] == i * i;
  std::printf("%s: %d right\n", cudaGetErrorString(status), status == cudaSuccess ? right : 0);
}
