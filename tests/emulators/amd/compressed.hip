// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A program that says "right" if its kernel ran, or why it did not.
#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(int* x, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) x[i] += i;
}

int main() {
  constexpr int n = 1000;
  int *x = nullptr, sum = 0;
  int back[n];
  if (hipMalloc(&x, sizeof back) != hipSuccess || hipMemset(x, 0, sizeof back) != hipSuccess) return 1;
  add<<<4, 256>>>(x, n);
  if (const hipError_t launched = hipGetLastError(); launched != hipSuccess) {
    std::fprintf(stderr, "%s\n", hipGetErrorString(launched));
    return 1;
  }
  if (hipMemcpy(back, x, sizeof back, hipMemcpyDeviceToHost) != hipSuccess) return 1;
  for (const int value : back) sum += value;
  std::puts(sum == n * (n - 1) / 2 ? "right" : "wrong");
}
