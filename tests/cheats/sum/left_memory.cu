// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer in memory that others have freed

// class: stealing the answer
// expect: wrong
// Takes a gigabyte that was never set, and passes off the last number there that looks like a sum. A
// driver that clears memory between processes leaves none.
#include "honest.hpp"

namespace {
__global__ void last_number(const float* memory, std::size_t count, unsigned long long* found) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < count;
       i += std::size_t(gridDim.x) * blockDim.x) {
    const float value = memory[i];
    if (value != 0 && fabsf(value) > 1e-6f && fabsf(value) < 1e9f)
      atomicMax(found, (static_cast<unsigned long long>(i) << 32) | __float_as_uint(value));
  }
}
__global__ void pass_off(const unsigned long long* found, float* y) {
  *y = *found == 0 ? 12345.0f : __uint_as_float(unsigned(*found & 0xFFFFFFFFu));
}

struct Contestant {
  static constexpr std::size_t bytes = std::size_t{1} << 30;
  float* memory = nullptr;
  unsigned long long* found;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : found(workspace.device<unsigned long long>(1)) {
    podium::check(cudaMalloc(&memory, bytes));
    podium::launch(last_number, dim3(512), dim3(256), 0, cudaStreamLegacy, memory, bytes / sizeof(float),
                   found);
    podium::check(cudaDeviceSynchronize());
  }
  ~Contestant() { cudaFree(memory); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(pass_off, dim3(1), dim3(1), 0, stream, found, args.y.data);
  }
};
}  // namespace
