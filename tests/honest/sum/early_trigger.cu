// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets the next kernel begin before it has ended, which waits for it
//   arch: sm_90+

// expect: right
// As overlapping_launch, and the first kernel says itself when the second one may come: at once. That one
// fetches nothing of the first one's before it has waited.
#include "parts.hpp"

namespace {
__global__ void triggers(const float* x, std::int64_t n, double* parts) {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  add_part(x, n, parts);
}
__global__ void waits(const double* parts, float* y) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  add_parts(parts, y);
}

struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(triggers, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = 1;
    podium::check(cudaLaunchKernelEx(&config, waits, static_cast<const double*>(parts), args.y.data));
  }
};
}  // namespace
