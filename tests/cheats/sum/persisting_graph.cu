// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its input in the cache by the window of a graph's node

// class: L2 persistence
// expect: right
// gains nothing over: honest_wide.cu
// As persisting_cache, but the window belongs to a kernel's node in a graph on another stream and to no
// stream: whoever resets the streams' windows leaves it. What persists is given up all the same.
#include "fetch.hpp"
#include "set_aside.hpp"
#include "wide.hpp"

namespace {
struct Contestant {
  std::size_t granted = set_aside();
  int largest_window = 0;  // bytes
  SideStream side;
  WideSum sum;
  float* sink;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : sum(workspace), sink(workspace.device<float>(1)) {
    int device = 0;
    podium::check(cudaGetDevice(&device));
    podium::check(cudaDeviceGetAttribute(&largest_window, cudaDevAttrMaxAccessPolicyWindowSize, device));
  }

  void fetch(const problem::Arguments& args) {
    const float* x = args.x.data;
    const std::size_t bytes = std::min(std::size_t(largest_window), args.n * sizeof(float));
    std::size_t packets = bytes / sizeof(float4);
    void* arguments[] = {&x, &packets, &sink};
    cudaKernelNodeParams kernel{};
    kernel.func = reinterpret_cast<void*>(fetch_kernel<PlainLoad>);
    kernel.gridDim = dim3(512), kernel.blockDim = dim3(256);
    kernel.kernelParams = arguments;
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    cudaGraphNode_t node{};
    podium::check(cudaGraphCreate(&graph, 0));
    podium::check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
    cudaKernelNodeAttrValue value{};
    auto& window = value.accessPolicyWindow;
    window.base_ptr = const_cast<float*>(x);
    window.num_bytes = bytes;
    window.hitRatio = std::min(1.0f, float(granted) / float(bytes));
    window.hitProp = cudaAccessPropertyPersisting;
    window.missProp = cudaAccessPropertyStreaming;
    podium::check(cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeAccessPolicyWindow, &value));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    podium::check(cudaGraphLaunch(ready, side.get()));
    podium::check(cudaStreamSynchronize(side.get()));
    podium::check(cudaGraphExecDestroy(ready));
    podium::check(cudaGraphDestroy(graph));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(stream, &status));
    if (status == cudaStreamCaptureStatusNone) fetch(args);
    sum(args, stream);
  }
};
}  // namespace
