// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A program for fatbin_test.py whose fatbin holds PTX for several architectures: it says which of them ran.
#include <cuda_runtime_api.h>

#include <cstdio>

namespace {
__global__ void which(int* to) {
#if defined(__CUDA_ARCH__)
  *to = __CUDA_ARCH__;
#if defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  *to += 2;
#elif defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
  *to += 1;
#endif
#endif
}
}  // namespace

int main() {
  int *device = nullptr, host = 0;
  cudaMalloc(&device, sizeof host);
  which<<<1, 1>>>(device);
  cudaError_t status = cudaGetLastError();
  if (status == cudaSuccess) status = cudaMemcpy(&host, device, sizeof host, cudaMemcpyDefault);
  std::printf("%s: %d\n", cudaGetErrorString(status), host);
}
