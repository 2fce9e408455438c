// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs while the gate is closed

// class: inputs before their turn
// expect: wrong | not written | clock | too fast | hung
// A kernel on a stream of its own adds up whatever lies where the inputs will be, over and over, until the
// given stream says that the gate is open; that only hands the latest sum over. Inputs that lie there for a
// while before the gate opens are summed by then. The kernel keeps the device busy while the judge draws the
// inputs, which the judge can measure: it takes several times as long as alone.
#include "honest.hpp"

namespace {
__global__ void watch(const float* x, std::int64_t n, volatile float* kept,
                      const volatile int* over) {  // one block
  __shared__ double partial[honest_threads];
  __shared__ bool done;
  const volatile float* fresh = x;  // as memory has it now, not as a cache had it
  for (;;) {
    double total = 0;
    for (std::int64_t i = threadIdx.x; i < n; i += honest_threads) total += fresh[i];
    partial[threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int t = 1; t < honest_threads; ++t) total += partial[t];
      *kept = float(total);
      done = *over != 0;
    }
    __syncthreads();
    if (done) return;
  }
}
__global__ void hand_over(const volatile float* kept, float* y, volatile int* over) {
  *y = *kept;
  *over = 1;
}

struct Contestant {
  cudaStream_t side{};
  float* kept;
  int* over;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : kept(workspace.device<float>(1)), over(workspace.device<int>(1)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  }
  ~Contestant() { cudaStreamDestroy(side); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaMemsetAsync(over, 0, sizeof *over, side));
    podium::launch(watch, dim3(1), dim3(honest_threads), 0, side, args.x.data, args.n, kept, over);
    podium::launch(hand_over, dim3(1), dim3(1), 0, stream, kept, args.y.data, over);
  }
};
}  // namespace
