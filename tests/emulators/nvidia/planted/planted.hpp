// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What programs of planted mistakes share: `PROGRAM NAME` runs a kernel with the mistake of that name, or the
// same without it ("right_..."), and prints what CUDA then says and the first and the last value.
// planted_test.py holds both against what it expects.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

namespace planted {

constexpr int threads = 64;

struct Memory {
  explicit Memory(int count) : bytes(count * sizeof(int)) {
    cudaMalloc(&at, bytes);
    cudaMemset(at, 0, bytes);
  }
  int* at = nullptr;
  std::size_t bytes;
};

// Whether `name` is `mistake`, or "right_" and it; `right` says which.
inline bool is_either(const char* name, const char* mistake, bool* right) {
  constexpr const char* prefix = "right_";
  *right = std::strncmp(name, prefix, std::strlen(prefix)) == 0;
  return std::strcmp(*right ? name + std::strlen(prefix) : name, mistake) == 0;
}

// run(name, in, out) launches; both hold `threads` zeros.
template <class Run>
int say_what_happens(int count, char** arguments, Run run) {
  if (count != 2) return 2;
  Memory in(threads), out(threads);
  run(arguments[1], in, out);
  const cudaError_t launched = cudaGetLastError(), done = cudaDeviceSynchronize();
  const cudaError_t status = launched != cudaSuccess ? launched : done;
  std::printf("%s: %s\n", cudaGetErrorName(status), cudaGetErrorString(status));
  int values[threads] = {};
  if (status == cudaSuccess && cudaMemcpy(values, out.at, out.bytes, cudaMemcpyDefault) == cudaSuccess)
    std::printf("%d %d\n", values[0], values[threads - 1]);
  return 0;
}

}  // namespace planted
