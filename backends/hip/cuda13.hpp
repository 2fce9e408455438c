// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Included before everything else where HIP's headers for NVIDIA (hip/nvidia_detail, 5.7) are compiled
// against CUDA 13: gives back, as overloads and under their old names, what these headers use and CUDA 13 has
// removed or given other parameters.
#pragma once
#if defined(__HIP_PLATFORM_NVIDIA__)
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000
#include <cstddef>

namespace hip_on_cuda13 {

inline cudaMemLocation location(int device) {
  cudaMemLocation at{};
  at.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  at.id = device == cudaCpuDeviceId ? 0 : device;
  return at;
}

// With the members that are asked for one by one now.
struct Properties : cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, cooperativeMultiDeviceLaunch, kernelExecTimeoutEnabled;
};

}  // namespace hip_on_cuda13

inline cudaError_t cudaGetDeviceProperties(hip_on_cuda13::Properties* of, int device) {
  const struct {
    int* to;
    cudaDeviceAttr attribute;
  } asked[] = {{&of->clockRate, cudaDevAttrClockRate},
               {&of->memoryClockRate, cudaDevAttrMemoryClockRate},
               {&of->computeMode, cudaDevAttrComputeMode},
               {&of->kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout}};
  of->cooperativeMultiDeviceLaunch = 0;
  cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(of), device);
  for (const auto& [to, attribute] : asked)
    if (status == cudaSuccess) status = cudaDeviceGetAttribute(to, attribute, device);
  return status;
}
inline cudaError_t cudaMemAdvise(const void* at, std::size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(at, bytes, advice, hip_on_cuda13::location(device));
}
inline cudaError_t cudaMemPrefetchAsync(const void* at, std::size_t bytes, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync(at, bytes, hip_on_cuda13::location(device), 0u, stream);
}
inline CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return cuCtxCreate(context, static_cast<CUctxCreateParams*>(nullptr), flags, device);
}
inline cudaError_t cudaLaunchCooperativeKernelMultiDevice(void*, unsigned, unsigned) {
  return cudaErrorNotSupported;
}

// Graphs: the forms that know no data of edges.
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, static_cast<const cudaGraphEdgeData*>(nullptr), count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, static_cast<const cudaGraphEdgeData*>(nullptr), count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, static_cast<cudaGraphEdgeData*>(nullptr), count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* all,
                                                std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, all, static_cast<cudaGraphEdgeData*>(nullptr), count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* all,
                                                  std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, all, static_cast<cudaGraphEdgeData*>(nullptr), count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                       std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, static_cast<const cudaGraphEdgeData*>(nullptr),
                                             count, flags);
}
inline cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** nodes, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes,
                                  static_cast<const cudaGraphEdgeData**>(nullptr), count);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                        std::size_t) {
  return cudaGraphInstantiate(exec, graph, 0ull);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                       cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t status = cudaGraphExecUpdate(exec, graph, &info);
  *node = info.errorNode;
  *result = info.result;
  return status;
}
inline CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                          CUgraph* graph, const CUgraphNode** nodes, std::size_t* count) {
  return cuStreamGetCaptureInfo(stream, status, id, graph, nodes,
                                static_cast<const CUgraphEdgeData**>(nullptr), count);
}

#define cudaDevAttrCooperativeMultiDeviceLaunch (static_cast<cudaDeviceAttr>(96))
#define cudaDeviceProp hip_on_cuda13::Properties
#endif

// Functions that need no nvcc are yet hidden from other compilers: graphs, waiting for memory.
#if !defined(__CUDACC__)
#define __CUDACC__
#include <hip/hip_runtime_api.h>
#undef __CUDACC__
#else
#include <hip/hip_runtime_api.h>
#endif
#undef cudaDeviceProp
#endif
