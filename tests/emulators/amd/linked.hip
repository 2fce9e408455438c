// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A program that was linked on some ROCm: functions of several of its version nodes, and a kernel. Prints
// "right".
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }

// Never called: that the loader finds what it names is what counts.
extern "C" int podium_not_called(hipStream_t stream) {
  void* memory = nullptr;
  return hipMemCreate(nullptr, 0, nullptr, 0) + hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal) +
         hipMallocAsync(&memory, 0, stream) + hipStreamWaitValue32(stream, memory, 0, 0, 0) +
         hipLaunchHostFunc(stream, nullptr, nullptr) +
         hipGraphAddHostNode(nullptr, nullptr, nullptr, 0, nullptr);
}

int main() {
  hipDeviceProp_t properties{};
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 1;
  constexpr int count = 64;
  std::vector<float> x(count, 3), y(count);
  float *from = nullptr, *to = nullptr;
  const std::size_t bytes = count * sizeof(float);
  if (hipMalloc(&from, bytes) != hipSuccess || hipMalloc(&to, bytes) != hipSuccess ||
      hipMemcpy(from, x.data(), bytes, hipMemcpyHostToDevice) != hipSuccess)
    return 2;
  twice<<<1, count>>>(from, to);
  if (hipMemcpy(y.data(), to, bytes, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  std::printf("%s on %s\n", y == std::vector<float>(count, 6) ? "right" : "wrong", properties.gcnArchName);
}
