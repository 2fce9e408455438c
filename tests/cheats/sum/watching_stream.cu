// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs while the gate is closed

// class: inputs before their turn
// expect: wrong | not written | clock | too fast
// A kernel on a stream of its own adds up whatever lies where the inputs will be, over and over, on many
// multiprocessors, until the given stream says that the gate is open; that only adds what it found last.
// Inputs that lie there for a while before the gate opens are summed by then. It watches for 50 ms and not
// longer, so that what is judged is the early look and not a kernel that never ends. The device runs the work
// of one process at a time: while the judge's writes inputs this stands still, and when its turn comes the
// gate opens.
#include "honest.hpp"

namespace {
constexpr int watchers = 64;  // blocks
constexpr std::uint64_t watched_nanoseconds = 50'000'000;

__device__ std::uint64_t now() {
  std::uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

__global__ void watch(const float* x, std::int64_t n, volatile double* kept, const volatile int* handed_over,
                      int call) {
  __shared__ double partial[honest_threads];
  __shared__ bool done;
  const volatile float* fresh = x;  // as memory has it now, not as a cache had it
  const std::uint64_t began = now();
  do {
    double total = 0;
    for (std::int64_t i = blockIdx.x * honest_threads + threadIdx.x; i < n; i += watchers * honest_threads)
      total += fresh[i];
    partial[threadIdx.x] = total;
    __syncthreads();
    for (int half = honest_threads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      kept[blockIdx.x] = partial[0];
      done = *handed_over >= call || now() - began > watched_nanoseconds;
    }
    __syncthreads();
  } while (!done);
}

__global__ void hand_over(const volatile double* kept, float* y, volatile int* handed_over, int call) {
  double total = 0;
  for (int block = 0; block < watchers; ++block) total += kept[block];
  *y = float(total);
  *handed_over = call;
}

struct Contestant {
  cudaStream_t side{};
  double* kept;
  int* handed_over;
  int call = 0;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : kept(workspace.device<double>(watchers)), handed_over(workspace.device<int>(1)) {
    podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    podium::check(cudaMemset(handed_over, 0, sizeof *handed_over));
  }
  ~Contestant() { cudaStreamDestroy(side); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    ++call;
    podium::launch(watch, dim3(watchers), dim3(honest_threads), 0, side, args.x.data, args.n, kept,
                   handed_over, call);
    podium::launch(hand_over, dim3(1), dim3(1), 0, stream, kept, args.y.data, handed_over, call);
  }
};
}  // namespace
