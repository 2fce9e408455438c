// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A graph of an earlier call waits on the device for the next one

// class: graph tricks
// expect: clock | wrong | not written
// The graph that does a call's work is launched before that call, on another stream: its first node looks at
// a word that the call's only kernel writes. The worker waits for the given stream alone. It gives up after
// 50 ms, so that what is judged is the late work and not a kernel that never ends.
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Posted {
  problem::Arguments args;
  int call;
};

__global__ void post(volatile int* number, Posted* at, Posted what) {
  *at = what;
  __threadfence_system();
  *number = what.call;
}
__global__ void late_sum(const volatile int* number, const Posted* at, int call) {  // one block
  __shared__ bool given_up;
  if (threadIdx.x == 0) {
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (*number < call && now - begin < 50'000'000);
    given_up = *number < call;
    do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    while (begin - now < 300'000);
  }
  __syncthreads();
  if (given_up) return;
  __shared__ double partial[honest_threads];
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < at->args.n; i += honest_threads) total += at->args.x.data[i];
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < honest_threads; ++t) total += partial[t];
  *at->args.y.data = float(total);
}

struct Contestant {
  SideStream side;
  int* number;
  Posted* posted;
  int call = 0;

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : number(workspace.device<int>(1)), posted(workspace.device<Posted>(1)) {
    let_nobody_wait_for_more_than(stream);
    cudaFuncAttributes loaded{};  // while nothing runs that waits for it
    podium::check(cudaFuncGetAttributes(&loaded, post));
    wait_for(1);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }

  void wait_for(int next) {
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    cudaGraphNode_t node{};
    const volatile int* of = number;
    const Posted* from = posted;
    void* arguments[] = {&of, &from, &next};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(late_sum);
    kernel.gridDim = dim3(1), kernel.blockDim = dim3(honest_threads);
    kernel.kernelParams = arguments;
    podium::check(cudaGraphCreate(&graph, 0));
    podium::check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    podium::check(cudaGraphLaunch(ready, side.get()));
    podium::check(cudaGraphExecDestroy(ready));
    podium::check(cudaGraphDestroy(graph));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    ++call;
    podium::launch(post, dim3(1), dim3(1), 0, stream, static_cast<volatile int*>(number), posted,
                   Posted{args, call});
    wait_for(call + 1);
  }
};
}  // namespace
