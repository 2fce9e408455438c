// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Its second kernel begins before the first has ended

// expect: right
// Programmatic dependent launch: the second kernel waits inside for what the first has written.
#include "parts.hpp"

namespace {
__global__ void whole_after(const double* parts, float* y) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  double total = 0;
  for (int b = 0; b < blocks; ++b) total += parts[b];
  *y = float(total);
}

struct Contestant {
  double* parts;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    int device = 0, major = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = config.blockDim = dim3(1);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = major >= 9 ? 1 : 0;
    podium::check(cudaLaunchKernelEx(&config, whole_after, static_cast<const double*>(parts), args.y.data));
  }
};
}  // namespace
