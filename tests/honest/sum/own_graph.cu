// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Updates and launches a graph of its own

// expect: right
// Made once, its nodes get the tensors of every call.
#include "parts.hpp"

namespace {
struct Contestant {
  double* parts;
  cudaGraph_t graph{};
  cudaGraphExec_t ready{};
  cudaGraphNode_t first{}, second{};

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)) {}
  ~Contestant() {
    if (ready) cudaGraphExecDestroy(ready);
    if (graph) cudaGraphDestroy(graph);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const float* x = args.x.data;
    float* y = args.y.data;
    std::int64_t n = args.n;
    void *of_first[] = {&x, &n, &parts}, *of_second[] = {&parts, &y};
    cudaKernelNodeParams one{}, two{};
    one.func = reinterpret_cast<void*>(part_sums), one.gridDim = dim3(blocks), one.blockDim = dim3(threads);
    two.func = reinterpret_cast<void*>(whole_sum), two.gridDim = two.blockDim = dim3(1);
    one.kernelParams = of_first, two.kernelParams = of_second;
    if (!ready) {
      podium::check(cudaGraphCreate(&graph, 0));
      podium::check(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &one));
      podium::check(cudaGraphAddKernelNode(&second, graph, &first, 1, &two));
      podium::check(cudaGraphInstantiate(&ready, graph, 0));
    }
    podium::check(cudaGraphExecKernelNodeSetParams(ready, first, &one));
    podium::check(cudaGraphExecKernelNodeSetParams(ready, second, &two));
    podium::check(cudaGraphLaunch(ready, stream));
  }
};
}  // namespace
