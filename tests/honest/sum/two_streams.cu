// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Two streams, forked and joined by events

// expect: right
// Half of the work runs on a stream of its own that begins and ends with the given one, which the rules
// allow.
#include <podium/sum.hpp>

namespace {
constexpr int threads = 1024;

__global__ void sum(const float* x, std::int64_t n, float* result) {  // one block
  __shared__ double partial[threads];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += threads) total += x[i];
  partial[threadIdx.x] = total;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *result = float(partial[0]);
}
__global__ void add(const float* halves, float* y) { *y = halves[0] + halves[1]; }

struct Contestant {
  cudaStream_t side{};
  cudaEvent_t fork{}, join{};
  float* halves;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : halves(workspace.device<float>(2)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    podium::check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    podium::check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  ~Contestant() {
    cudaEventDestroy(join);
    cudaEventDestroy(fork);
    cudaStreamDestroy(side);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t half = args.n / 2;
    podium::check(cudaEventRecord(fork, stream));
    podium::check(cudaStreamWaitEvent(side, fork, 0));
    podium::launch(sum, dim3(1), dim3(threads), 0, side, args.x.data, half, halves);
    podium::launch(sum, dim3(1), dim3(threads), 0, stream, args.x.data + half, args.n - half, halves + 1);
    podium::check(cudaEventRecord(join, side));
    podium::check(cudaStreamWaitEvent(stream, join, 0));
    podium::launch(add, dim3(1), dim3(1), 0, stream, halves, args.y.data);
  }
};
}  // namespace
