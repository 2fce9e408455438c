// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A graph whose loop ends when a kernel says so

// expect: right
// A conditional node repeats the graph within it; its condition is set on the device. Each turn of the loop
// adds up one sixteenth of the parts.
#include "parts.hpp"

namespace {
constexpr int turns = 16;

__global__ void next_parts(const double* parts, double* total, int* turn, float* y,
                           cudaGraphConditionalHandle goes_on) {
  constexpr int some = blocks / turns;
  const int now = *turn;
  double sum = now == 0 ? 0 : *total;
  for (int b = now * some; b < (now + 1) * some; ++b) sum += parts[b];
  *total = sum;
  *turn = now + 1 < turns ? now + 1 : 0;
  if (now + 1 == turns) *y = float(sum);
  cudaGraphSetConditional(goes_on, now + 1 < turns);
}

struct Contestant {
  double *parts, *total;
  int* turn;
  cudaGraph_t graph{};
  cudaGraphExec_t ready{};
  float* made_for = nullptr;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)),
        total(workspace.device<double>(1)),
        turn(workspace.device<int>(1)) {}
  ~Contestant() { forget(); }

  void forget() {
    if (ready) cudaGraphExecDestroy(ready);
    if (graph) cudaGraphDestroy(graph);
  }
  void make(float* y) {
    forget();
    cudaGraphConditionalHandle goes_on{};
    podium::check(cudaGraphCreate(&graph, 0));
    podium::check(cudaGraphConditionalHandleCreate(&goes_on, graph, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = goes_on;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node{}, inner{};
    podium::check(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop));
    const double* from = parts;
    void* arguments[] = {&from, &total, &turn, &y, &goes_on};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(next_parts);
    kernel.gridDim = kernel.blockDim = dim3(1);
    kernel.kernelParams = arguments;
    podium::check(cudaGraphAddKernelNode(&inner, loop.conditional.phGraph_out[0], nullptr, 0, &kernel));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    made_for = y;
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (made_for != args.y.data) make(args.y.data);
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, stream, args.x.data, args.n, parts);
    podium::check(cudaGraphLaunch(ready, stream));
  }
};
}  // namespace
