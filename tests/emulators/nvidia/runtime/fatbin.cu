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
  squares<<<2, 64>>>(device, n / 2);
  cudaError_t status = cudaGetLastError();
  // And by its handle, with more shared memory than without leave.
  int all = n, shared = 64 << 10;
  void* arguments[] = {&device, &all};
  cudaKernel_t kernel{};
  if (status == cudaSuccess) status = cudaGetKernel(&kernel, reinterpret_cast<const void*>(squares));
  if (status == cudaSuccess)
    status = cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared, 0);
  if (status == cudaSuccess)
    status = cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(2), dim3(64), arguments, shared,
                              nullptr);
  if (status == cudaSuccess) status = cudaMemcpy(host, device, sizeof host, cudaMemcpyDefault);
  int right = 0;
  for (int i = 0; i < n; ++i) right += host[i] == i * i;
  std::printf("%s: %d right\n", cudaGetErrorString(status), status == cudaSuccess ? right : 0);
}
