// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Nodes that a program adds to a graph. A node depends on earlier ones alone, and runs behind all of them.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "emulators/nvidia/runtime/graphs.hpp"
#include "emulators/nvidia/runtime/launches.hpp"
#include "emulators/nvidia/runtime/pitched.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"
#include "emulators/nvidia/runtime/transfers.hpp"

namespace podium::ptx {
namespace {

// nullptr: no node of that graph, or of what it was instantiated to.
const GraphNode* node_of(const CapturedWork& work, cudaGraphNode_t handle) {
  const auto* const node = reinterpret_cast<const GraphNode*>(handle);
  return std::ranges::any_of(work.handles, [&](const auto& h) { return h.get() == node; }) ? node : nullptr;
}
cudaError_t not_a_node(const std::string& call, const char* expected) {
  return refused(cudaErrorInvalidValue,
                 call + ": a node that this graph does not have; expected one that " + expected + " for it");
}
cudaError_t replace(CapturedWork& work, cudaGraphNode_t handle, const cudaKernelNodeParams* kernel,
                    const char* call) {
  const GraphNode* const node = node_of(work, handle);
  if (!node || !node->is_kernel) return not_a_node(call, "cudaGraphAddKernelNode gave");
  return kernel_work(*kernel, work.nodes[node->index]);
}

// Whose node it is to be, and behind which ones.
struct Position {
  const char* call;
  cudaGraph_t graph;
  std::span<const cudaGraphNode_t> dependencies;
};
Position position(const char* call, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count) {
  return {call, graph, {dependencies, count}};
}
cudaError_t check(const Position& at) {
  if (const cudaError_t status = needs(at.graph, at.call); status != cudaSuccess) return status;
  for (const cudaGraphNode_t dependency : at.dependencies)
    if (!node_of(*captured(at.graph), dependency))
      return not_a_node(std::string(at.call) + ", a dependency", "a cudaGraphAdd function gave");
  return cudaSuccess;
}
cudaError_t add(cudaGraphNode_t* handle, const Position& at, Work work, bool is_kernel = false) {
  if (const cudaError_t status = check(at); status != cudaSuccess) return status;
  const Captured& graph = captured(at.graph);
  const auto node = std::make_shared<GraphNode>(GraphNode{graph, graph->nodes.size(), is_kernel});
  graph->nodes.push_back(std::move(work));
  graph->handles.push_back(node);
  *handle = reinterpret_cast<cudaGraphNode_t>(node.get());
  return cudaSuccess;
}

cudaError_t add_copy(cudaGraphNode_t* handle, const Position& at, const Box& to, const Box& from,
                     cudaMemcpyKind kind) {
  Work copy{};
  if (const cudaError_t status = copy_work(to, from, kind, copy.run); status != cudaSuccess) return status;
  return add(handle, at, std::move(copy));
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* kernel) {
  const Position at = position("cudaGraphAddKernelNode", graph, dependencies, count);
  if (const cudaError_t status = check(at); status != cudaSuccess) return status;
  Work launch;
  if (const cudaError_t status = kernel_work(*kernel, launch); status != cudaSuccess) return status;
  return add(handle, at, std::move(launch), true);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* host) {
  if (!host->fn) return refused(cudaErrorInvalidValue, "cudaGraphAddHostNode: its function is null");
  return add(handle, position("cudaGraphAddHostNode", graph, dependencies, count),
             {.ready = {}, .run = [call = host->fn, data = host->userData] { call(data); }});
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return add(handle, position("cudaGraphAddEmptyNode", graph, dependencies, count), {.ready = {}, .run = {}});
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* handle, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_copy(handle, position("cudaGraphAddMemcpyNode1D", graph, dependencies, count),
                  bytes_at(to, bytes), bytes_at(from, bytes), kind);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* copy) {
  Box to, from;
  if (const cudaError_t status = boxes_of(*copy, "cudaGraphAddMemcpyNode", to, from); status != cudaSuccess)
    return status;
  return add_copy(handle, position("cudaGraphAddMemcpyNode", graph, dependencies, count), to, from,
                  copy->kind);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* handle, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* what) {
  if (what->elementSize != 1 && what->elementSize != 2 && what->elementSize != 4)
    return refused(cudaErrorInvalidValue, "cudaGraphAddMemsetNode: elements of " +
                                              std::to_string(what->elementSize) +
                                              " bytes; expected 1, 2 or 4");
  Work set{};
  if (const cudaError_t status =
          set_work(elements_at(what->dst, what->pitch, what->elementSize, what->width, what->height),
                   what->value, what->elementSize, set.run);
      status != cudaSuccess)
    return status;
  return add(handle, position("cudaGraphAddMemsetNode", graph, dependencies, count), std::move(set));
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t handle, const cudaKernelNodeParams* kernel) {
  const Captured work = handle ? reinterpret_cast<const GraphNode*>(handle)->graph.lock() : nullptr;
  if (!work) return not_a_node("cudaGraphKernelNodeSetParams", "cudaGraphAddKernelNode gave");
  return replace(*work, handle, kernel, "cudaGraphKernelNodeSetParams");
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t handle,
                                             const cudaKernelNodeParams* kernel) {
  if (const cudaError_t status = needs(exec, "cudaGraphExecKernelNodeSetParams"); status != cudaSuccess)
    return status;
  return replace(*captured(exec), handle, kernel, "cudaGraphExecKernelNodeSetParams");
}

}  // extern "C"
