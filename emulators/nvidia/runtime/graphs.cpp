// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Graphs captured from streams or made of kernel nodes, and run again in the order in which they were
// captured or made.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "emulators/nvidia/runtime/launches.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

using Captured = std::shared_ptr<CapturedWork>;
template <class Handle>
Captured& captured(Handle handle) {
  return *reinterpret_cast<Captured*>(handle);
}

// nullptr: no node of that graph, or of what it was instantiated to.
const GraphNode* node_of(const CapturedWork& work, cudaGraphNode_t handle) {
  const auto* const node = reinterpret_cast<const GraphNode*>(handle);
  return std::ranges::any_of(work.handles, [&](const auto& h) { return h.get() == node; }) ? node : nullptr;
}
cudaError_t not_a_node(const char* call) {
  return refused(cudaErrorInvalidValue, std::string(call) +
                                            ": a node that this graph does not have; expected one that "
                                            "cudaGraphAddKernelNode gave for it");
}
cudaError_t replace(CapturedWork& work, cudaGraphNode_t handle, const cudaKernelNodeParams* kernel,
                    const char* call) {
  const GraphNode* const node = node_of(work, handle);
  if (!node) return not_a_node(call);
  return kernel_work(*kernel, work.nodes[node->index]);
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  Queue* const queue = Device::get().find(stream);
  if (!queue || queue->capture) return noted(cudaErrorIllegalState);
  queue->capture = std::make_shared<CapturedWork>();
  if (mode != cudaStreamCaptureModeRelaxed) ++Device::captures;
  Device::spoiled = false;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  *graph = nullptr;
  Queue* const queue = Device::get().find(stream);
  if (!queue || !queue->capture) return noted(cudaErrorIllegalState);
  const Captured work = queue->capture;
  Device::get().end_capture(work);
  if (Device::captures > 0) --Device::captures;
  if (std::exchange(Device::spoiled, false)) return noted(cudaErrorStreamCaptureInvalidated);
  *graph = reinterpret_cast<cudaGraph_t>(new Captured(work));
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  Queue* const queue = Device::get().find(stream);
  *status = queue && queue->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  *graph = nullptr;
  if (flags != 0)
    return refused(cudaErrorInvalidValue,
                   "cudaGraphCreate with flags " + std::to_string(flags) + "; expected 0");
  *graph = reinterpret_cast<cudaGraph_t>(new Captured(std::make_shared<CapturedWork>()));
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* kernel) {
  const Captured& work = captured(graph);
  for (const cudaGraphNode_t dependency : std::span(dependencies, count))
    if (!node_of(*work, dependency)) return not_a_node("cudaGraphAddKernelNode, a dependency");
  Work launch;
  if (const cudaError_t status = kernel_work(*kernel, launch); status != cudaSuccess) return status;
  const auto node = std::make_shared<GraphNode>(GraphNode{work, work->nodes.size()});
  work->nodes.push_back(std::move(launch));
  work->handles.push_back(node);
  *handle = reinterpret_cast<cudaGraphNode_t>(node.get());
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const cudaKernelNodeParams* kernel) {
  const Captured work = reinterpret_cast<const GraphNode*>(handle)->graph.lock();
  if (!work) return not_a_node("cudaGraphKernelNodeSetParams");
  return replace(*work, handle, kernel, "cudaGraphKernelNodeSetParams");
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                             const cudaKernelNodeParams* kernel) {
  return replace(*captured(exec), handle, kernel, "cudaGraphExecKernelNodeSetParams");
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete &captured(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (nodes)
    return refused(cudaErrorNotSupported, "an emulated device tells how many nodes a graph has, not which");
  *count = captured(graph)->nodes.size();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  // A copy: what happens to the graph or its nodes later does not change it.
  *exec = reinterpret_cast<cudaGraphExec_t>(new Captured(std::make_shared<CapturedWork>(*captured(graph))));
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete &captured(exec);
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  for (const Work& work : captured(exec)->nodes) Device::get().enqueue(*queue, work);
  return cudaSuccess;
}

}  // extern "C"
