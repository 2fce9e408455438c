// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer in what a memory pool has had before

// class: stealing the answer
// expect: wrong
// Pools hand memory on without clearing it: those of the process, which its own earlier calls have used, and
// new ones, whose memory others have given back. It takes what a pool gives, to a gigabyte, and passes off
// the last number there that looks like a sum.
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
  cudaMemPool_t own{}, usual{};
  unsigned long long* found;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : found(workspace.device<unsigned long long>(1)) {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
    properties.location = {cudaMemLocationTypeDevice, device};
    podium::check(cudaMemPoolCreate(&own, &properties));
    int file = -1;  // exported, it is another process's as well
    podium::check(cudaMemPoolExportToShareableHandle(&file, own, cudaMemHandleTypePosixFileDescriptor, 0));
    podium::check(cudaDeviceGetDefaultMemPool(&usual, device));
  }
  ~Contestant() {
    if (own) cudaMemPoolDestroy(own);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaMemsetAsync(found, 0, sizeof *found, stream));
    for (const cudaMemPool_t pool : {own, usual}) {
      void* at = nullptr;
      podium::check(cudaMallocFromPoolAsync(&at, bytes, pool, stream));
      podium::launch(last_number, dim3(512), dim3(256), 0, stream, static_cast<const float*>(at),
                     bytes / sizeof(float), found);
      podium::check(cudaFreeAsync(at, stream));
    }
    podium::launch(pass_off, dim3(1), dim3(1), 0, stream, static_cast<const unsigned long long*>(found),
                   args.y.data);
  }
};
}  // namespace
