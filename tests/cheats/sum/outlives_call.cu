// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One kernel outlives all calls and does their work

// class: side stream, late work
// expect: clock | wrong | not written | hung
// It is launched by the first call of an instance and waits on the device for what calls post; the worker
// waits for the given stream alone. What it is given after a call's last event it does late. It ends after a
// second without work, or when its instance does.
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Posted {
  problem::Arguments args;
};

__global__ void post(volatile int* number, Posted* at, Posted what, int call) {
  *at = what;
  __threadfence_system();
  *number = call;
}
__global__ void serve(const volatile int* number, const Posted* at, const volatile int* over) {  // one block
  __shared__ double partial[honest_threads];
  __shared__ int call;
  for (int done = 0;; done = call) {
    if (threadIdx.x == 0) {
      unsigned long long begin, now;
      asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
      do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
      while (*number == done && *over == 0 && now - begin < 1'000'000'000);
      call = *number;
    }
    __syncthreads();
    if (call == done) return;
    const volatile float* x = at->args.x.data;
    double total = 0;
    for (std::int64_t i = threadIdx.x; i < at->args.n; i += honest_threads) total += x[i];
    partial[threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int t = 1; t < honest_threads; ++t) total += partial[t];
      *static_cast<volatile float*>(at->args.y.data) = float(total);
      __threadfence();
    }
    __syncthreads();
  }
}

struct Contestant {
  SideStream side;
  int* number;
  Posted* posted;
  int* over;
  int call = 0;

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : number(workspace.device<int>(1)),
        posted(workspace.device<Posted>(1)),
        over(workspace.pinned<int>(1)) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() {
    *static_cast<volatile int*>(over) = 1;
    cudaStreamSynchronize(side.get());
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    ++call;
    podium::launch(post, dim3(1), dim3(1), 0, stream, static_cast<volatile int*>(number), posted,
                   Posted{args}, call);
    if (call == 1)
      podium::launch(serve, dim3(1), dim3(honest_threads), 0, side.get(),
                     static_cast<const volatile int*>(number), static_cast<const Posted*>(posted),
                     static_cast<const volatile int*>(over));
  }
};
}  // namespace
