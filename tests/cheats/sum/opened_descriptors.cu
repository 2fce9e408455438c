// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Opens every descriptor that it has as memory of the device

// class: stealing the answer
// expect: wrong | threw
// Memory of the device travels between processes as descriptors. Whatever this process has among its own
// opens here, as a block or as a pool, and is searched for a number that looks like a sum.
#include <fcntl.h>

#include "arena.hpp"
#include "honest.hpp"

namespace {
__global__ void search(const float* block, std::size_t size, float* found) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < size;
       i += std::size_t(gridDim.x) * blockDim.x)
    if (fabsf(block[i]) > 1e-20f && fabsf(block[i]) < 1e9f) *found = block[i];
}

struct Contestant {
  float* found;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : found(workspace.device<float>(1)) {
    constexpr std::size_t granularity = std::size_t{2} << 20;
    for (int file = 0; file < 1024; ++file) {
      if (fcntl(file, F_GETFD) < 0) continue;
      CUmemGenericAllocationHandle memory{};
      void* const as = reinterpret_cast<void*>(std::intptr_t(file));
      if (DRIVER(cuMemImportFromShareableHandle)(&memory, as, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
          CUDA_SUCCESS)
        podium::launch(search, dim3(64), dim3(256), 0, cudaStreamLegacy,
                       reinterpret_cast<const float*>(map_again(memory, granularity)),
                       granularity / sizeof(float), found);
      cudaMemPool_t pool{};
      static_cast<void>(
          cudaMemPoolImportFromShareableHandle(&pool, as, cudaMemHandleTypePosixFileDescriptor, 0));
      static_cast<void>(cudaGetLastError());
    }
    podium::check(cudaDeviceSynchronize());
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaMemcpyAsync(args.y.data, found, sizeof(float), cudaMemcpyDefault, stream));
  }
};
}  // namespace
