// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a stream's work becomes a graph, and what a capture says of itself.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <memory>
#include <utility>

#include "emulators/nvidia/runtime/contexts.hpp"
#include "emulators/nvidia/runtime/graphs.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

// All that may be asked of a capture; null pointers are not filled in.
struct Asked {
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** dependencies = nullptr;
  const cudaGraphEdgeData** edges = nullptr;
  std::size_t* count = nullptr;
};

// What the next node comes behind: the last one, since they are run in one order.
std::size_t last_node(CapturedWork& work, const cudaGraphNode_t*& dependencies) {
  static thread_local cudaGraphNode_t last = nullptr;  // until this thread's next question
  dependencies = nullptr;
  if (work.nodes.empty()) return 0;
  const std::size_t index = work.nodes.size() - 1;
  for (const auto& handle : work.handles)
    if (handle->index == index)
      last = reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode*>(handle.get()));
  if (work.handles.empty() || work.handles.back()->index != index) {
    const auto handle = std::make_shared<GraphNode>(GraphNode{captured(work.graph), index, false});
    work.handles.push_back(handle);
    last = reinterpret_cast<cudaGraphNode_t>(handle.get());
  }
  dependencies = &last;
  return 1;
}

cudaError_t describe(cudaStream_t stream, cudaStreamCaptureStatus* status, const Asked& asked) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  *status = queue->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  if (!queue->capture) return cudaSuccess;
  static const cudaGraphEdgeData ordinary{};
  const cudaGraphNode_t* dependencies = nullptr;
  const std::size_t count = last_node(*queue->capture, dependencies);
  if (asked.id) *asked.id = queue->capture->id;
  if (asked.graph) *asked.graph = queue->capture->graph;
  if (asked.dependencies) *asked.dependencies = dependencies;
  if (asked.edges) *asked.edges = count == 0 ? nullptr : &ordinary;
  if (asked.count) *asked.count = count;
  return cudaSuccess;
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  static std::atomic<std::uint64_t> number{0};
  Queue* const queue = Device::get().find(stream);
  if (!queue || queue->capture) return noted(cudaErrorIllegalState);
  auto* const graph = new Captured(std::make_shared<CapturedWork>());
  (*graph)->id = ++number;
  (*graph)->graph = reinterpret_cast<cudaGraph_t>(graph);
  queue->capture = *graph;
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
  if (std::exchange(Device::spoiled, false)) {
    delete &captured(work->graph);
    return noted(cudaErrorStreamCaptureInvalidated);
  }
  *graph = work->graph;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  Queue* const queue = Device::get().find(stream);
  *status = queue && queue->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  std::swap(*mode, Device::capture_mode);
  return cudaSuccess;
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  auto found = cudaStreamCaptureStatusNone;
  const cudaError_t done = cudaStreamIsCapturing(stream, &found);
  *status = static_cast<CUstreamCaptureStatus>(found);
  return as_result(done);
}
CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return as_result(cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return as_result(cudaStreamEndCapture(stream, graph));
}

// Before CUDA 13 these names are those of functions that say less, which rest.py tells of.
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                     size_t* count) {
  return describe(stream, status, {id, graph, dependencies, edges, count});
}
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                CUgraph* graph, const CUgraphNode** dependencies,
                                const CUgraphEdgeData** edges, size_t* count) {
  static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData));
  auto found = cudaStreamCaptureStatusNone;
  unsigned long long number = 0;
  const cudaError_t done =
      describe(stream, &found,
               {&number, graph, dependencies, reinterpret_cast<const cudaGraphEdgeData**>(edges), count});
  *status = static_cast<CUstreamCaptureStatus>(found);
  if (id && found == cudaStreamCaptureStatusActive) *id = number;
  return as_result(done);
}
// As programs ask for it by the name of cuStreamGetCaptureInfo and a version before 12.3.
CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                   CUgraph* graph, const CUgraphNode** dependencies, size_t* count) {
  return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
#endif

}  // extern "C"
