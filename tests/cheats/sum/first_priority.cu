// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Its kernels come first and look for the inputs until they are there

// class: inputs before their turn
// expect: wrong | not written | clock | too fast | right
// gains nothing over: honest_parted.cu
// A stream of the highest priority, that no gate holds, has a kernel that looks at the last number where the
// inputs will be. When it has changed, so have all, and the sum is begun before the gate opens, or at least
// before the given stream goes on. It gives up after 500 ms.
#include "parted_sum.hpp"

namespace {
__global__ void watch(const float* x, std::int64_t n, double* parts, unsigned* finished) {
  const volatile float* last = x + n - 1;
  const float before = *last;
  const unsigned long long began = nanoseconds();
  if (threadIdx.x == 0)
    while (*last == before && nanoseconds() - began < 500'000'000) {
    }
  __syncthreads();
  add_part(x, n, parts);
  if (threadIdx.x > 0) return;
  __threadfence();
  atomicAdd(finished, 1u);
}
__global__ void hand_over(const volatile double* parts, float* y, const volatile unsigned* finished,
                          unsigned all) {
  while (*finished < all) {
  }
  __threadfence();
  add_parts(parts, y);
}

struct Contestant {
  cudaStream_t first{};
  double* parts;
  unsigned* finished;
  unsigned all = 0;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(parted_blocks)), finished(workspace.device<unsigned>(1)) {
    int least = 0, greatest = 0;
    podium::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    podium::check(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
  }
  ~Contestant() { cudaStreamDestroy(first); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(stream, &status));
    podium::require(status == cudaStreamCaptureStatusNone, "it watches for one call's inputs");
    podium::launch(watch, dim3(parted_blocks), dim3(parted_threads), 0, first, args.x.data, args.n, parts,
                   finished);
    all += parted_blocks;
    podium::launch(hand_over, dim3(1), dim3(1), 0, stream, static_cast<const volatile double*>(parts),
                   args.y.data, static_cast<const volatile unsigned*>(finished), all);
  }
};
}  // namespace
