// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attributes of streams: hints, which are checked and kept, and change nothing.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <string>

#include "emulators/nvidia/runtime/architecture.hpp"
#include "emulators/nvidia/runtime/contexts.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

bool is_streams(int attribute) {
  constexpr int nvlink_scheduling = 16;  // cudaLaunchAttributeNvlinkUtilCentricScheduling: CUDA 13 has it
  switch (attribute) {
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributePriority:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case nvlink_scheduling:
      return true;
    default:
      return false;
  }
}

// What a stream says where nothing was set.
cudaStreamAttrValue initial(int attribute) {
  cudaStreamAttrValue value{};
  if (attribute == cudaLaunchAttributeSynchronizationPolicy) value.syncPolicy = cudaSyncPolicyAuto;
  if (attribute == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
  return value;
}

// "": a device would take it.
std::string problem_of(const cudaAccessPolicyWindow& window) {
  if (window.num_bytes > static_cast<std::size_t>(window_bytes))
    return fmt::format("an access policy window of {} bytes; at most {} are possible", window.num_bytes,
                       window_bytes);
  if (!(window.hitRatio >= 0 && window.hitRatio <= 1))
    return fmt::format("a hitRatio of {}; expected 0 to 1", window.hitRatio);
  if (window.missProp == cudaAccessPropertyPersisting)
    return "missProp is persisting; expected normal or streaming";
  return "";
}

cudaError_t no_stream() { return noted(cudaErrorInvalidResourceHandle); }
cudaError_t no_attribute(const char* call, int attribute) {
  return refused(cudaErrorInvalidValue,
                 fmt::format("{}: streams have no attribute {} on emulated devices", call, attribute));
}

static_assert(sizeof(CUstreamAttrValue) == sizeof(cudaStreamAttrValue));
static_assert(int{CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN} == int{cudaLaunchAttributeMemSyncDomain});

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return no_stream();
  if (!is_streams(attribute)) return no_attribute("cudaStreamSetAttribute", attribute);
  if (attribute == cudaLaunchAttributeAccessPolicyWindow)
    if (const std::string problem = problem_of(value->accessPolicyWindow); !problem.empty())
      return refused(cudaErrorInvalidValue, "cudaStreamSetAttribute: " + problem);
  queue->attributes[attribute] = *value;
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return no_stream();
  if (!is_streams(attribute)) return no_attribute("cudaStreamGetAttribute", attribute);
  const auto found = queue->attributes.find(attribute);
  *value = found == queue->attributes.end() ? initial(attribute) : found->second;
  return cudaSuccess;
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  Queue* const there = Device::get().find(to);
  const Queue* const here = Device::get().find(from);
  if (!there || !here) return no_stream();
  there->attributes = here->attributes;
  return cudaSuccess;
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  return as_result(cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                          reinterpret_cast<const cudaStreamAttrValue*>(value)));
}
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  return as_result(cudaStreamGetAttribute(stream, static_cast<cudaStreamAttrID>(attribute),
                                          reinterpret_cast<cudaStreamAttrValue*>(value)));
}
CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
  return as_result(cudaStreamCopyAttributes(to, from));
}

}  // extern "C"
