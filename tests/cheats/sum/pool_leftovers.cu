// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer in what a memory pool has had before

// class: stealing the answer
// expect: wrong
// Pools hand memory on without clearing it: those of the process, which its own earlier calls have used, and
// new ones, whose memory others have given back. It takes what a pool gives, to a gigabyte, and passes off
// the last number there that looks like a sum.
#include "left_numbers.hpp"

namespace {
struct Contestant {
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
      podium::check(cudaMallocFromPoolAsync(&at, looked_through, pool, stream));
      look_through(at, found, stream);
      podium::check(cudaFreeAsync(at, stream));
    }
    pass_off_found(found, args.y.data, stream);
  }
};
}  // namespace
