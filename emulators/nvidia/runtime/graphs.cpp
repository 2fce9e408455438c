// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Graphs captured from streams, and run again in the order in which they were captured.
#include <cuda_runtime_api.h>

#include <memory>
#include <utility>

#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

using Captured = std::shared_ptr<CapturedWork>;
template <class Handle>
Captured& captured(Handle handle) {
  return *reinterpret_cast<Captured*>(handle);
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
  *exec = reinterpret_cast<cudaGraphExec_t>(new Captured(captured(graph)));
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
