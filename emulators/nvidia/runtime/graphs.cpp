// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Graphs captured from streams or made of nodes, and run again in the order in which they were captured or
// made.
#include <cuda_runtime_api.h>

#include <memory>
#include <string>

#include "emulators/nvidia/runtime/graphs.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

using namespace podium::ptx;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  *graph = nullptr;
  if (flags != 0)
    return refused(cudaErrorInvalidValue,
                   "cudaGraphCreate with flags " + std::to_string(flags) + "; expected 0");
  *graph = reinterpret_cast<cudaGraph_t>(new Captured(std::make_shared<CapturedWork>()));
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (const cudaError_t status = needs(graph, "cudaGraphDestroy"); status != cudaSuccess) return status;
  delete &captured(graph);
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (nodes)
    return refused(cudaErrorNotSupported, "an emulated device tells how many nodes a graph has, not which");
  if (const cudaError_t status = needs(graph, "cudaGraphGetNodes"); status != cudaSuccess) return status;
  *count = captured(graph)->nodes.size();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  if (const cudaError_t status = needs(graph, "cudaGraphInstantiate"); status != cudaSuccess) return status;
  // A copy: what happens to the graph or its nodes later does not change it.
  *exec = reinterpret_cast<cudaGraphExec_t>(new Captured(std::make_shared<CapturedWork>(*captured(graph))));
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* params) {
  params->errNode_out = nullptr;
  params->result_out = cudaGraphInstantiateSuccess;
  return cudaGraphInstantiateWithFlags(exec, graph, params->flags);
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (const cudaError_t status = needs(graph, "cudaGraphExecUpdate"); status != cudaSuccess) return status;
  if (const cudaError_t status = needs(exec, "cudaGraphExecUpdate"); status != cudaSuccess) return status;
  const CapturedWork& now = *captured(graph);
  CapturedWork& before = *captured(exec);
  *info = {};
  if (now.nodes.size() != before.nodes.size()) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return refused(cudaErrorGraphExecUpdateFailure,
                   "cudaGraphExecUpdate: the graph has " + std::to_string(now.nodes.size()) +
                       " nodes; expected the " + std::to_string(before.nodes.size()) +
                       " of what is to be updated");
  }
  before.nodes = now.nodes;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  if (const cudaError_t status = needs(exec, "cudaGraphExecDestroy"); status != cudaSuccess) return status;
  delete &captured(exec);
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  if (const cudaError_t status = needs(exec, "cudaGraphLaunch"); status != cudaSuccess) return status;
  for (const Work& work : captured(exec)->nodes) Device::get().enqueue(*queue, work);
  return cudaSuccess;
}

}  // extern "C"
