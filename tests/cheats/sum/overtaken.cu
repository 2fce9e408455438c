// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Says early that the next kernel may come, and that one waits for nothing
//   arch: sm_90+

// class: side stream, late work
// expect: right | clock
// gains nothing over: honest_alone.cu
// Programmatic dependent launch: the kernel that works lets the next one begin at once; that one is empty,
// ends without having waited, and the stop event is recorded behind it.
#include "honest.hpp"

namespace {
__global__ void early(const float* x, float* y, std::int64_t n) {  // one block
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  __shared__ double partial[honest_threads];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += honest_threads) total += x[i];
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < honest_threads; ++t) total += partial[t];
  *y = float(total);
}
__global__ void empty() {}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(early, dim3(1), dim3(honest_threads), 0, stream, args.x.data, args.y.data, args.n);
    cudaLaunchAttribute overlaps{};
    overlaps.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlaps.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &overlaps;
    config.numAttrs = 1;
    podium::check(cudaLaunchKernelEx(&config, empty));
  }
};
}  // namespace
