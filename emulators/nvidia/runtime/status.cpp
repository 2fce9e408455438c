// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/runtime/status.hpp"

#include <cuda.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "emulators/common/report.hpp"

namespace podium::ptx {
namespace {

thread_local cudaError_t last_status = cudaSuccess;
std::atomic<cudaError_t> lost{cudaSuccess};

struct Name {
  const char *name, *text;
};

const std::map<int, Name>& names() {
  static const std::map<int, Name> all = {
      {cudaSuccess, {"cudaSuccess", "no error"}},
      {cudaErrorInvalidValue, {"cudaErrorInvalidValue", "invalid argument"}},
      {cudaErrorMemoryAllocation, {"cudaErrorMemoryAllocation", "out of memory"}},
      {cudaErrorInvalidConfiguration, {"cudaErrorInvalidConfiguration", "invalid configuration argument"}},
      {cudaErrorInvalidSymbol, {"cudaErrorInvalidSymbol", "invalid device symbol"}},
      {cudaErrorInvalidDeviceFunction, {"cudaErrorInvalidDeviceFunction", "invalid device function"}},
      {cudaErrorNoDevice, {"cudaErrorNoDevice", "no CUDA-capable device is detected"}},
      {cudaErrorInvalidDevice, {"cudaErrorInvalidDevice", "invalid device ordinal"}},
      {cudaErrorInvalidKernelImage, {"cudaErrorInvalidKernelImage", "device kernel image is invalid"}},
      {cudaErrorInvalidResourceHandle, {"cudaErrorInvalidResourceHandle", "invalid resource handle"}},
      {cudaErrorSymbolNotFound, {"cudaErrorSymbolNotFound", "named symbol not found"}},
      {cudaErrorNotReady, {"cudaErrorNotReady", "device not ready"}},
      {cudaErrorIllegalAddress, {"cudaErrorIllegalAddress", "an illegal memory access was encountered"}},
      {cudaErrorInvalidPitchValue, {"cudaErrorInvalidPitchValue", "invalid pitch argument"}},
      {cudaErrorLaunchFailure, {"cudaErrorLaunchFailure", "unspecified launch failure"}},
      {cudaErrorLaunchOutOfResources,
       {"cudaErrorLaunchOutOfResources", "too many resources requested for launch"}},
      {cudaErrorCooperativeLaunchTooLarge,
       {"cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"}},
      {cudaErrorUnsupportedLimit,
       {"cudaErrorUnsupportedLimit", "limit is not supported on this architecture"}},
      {cudaErrorDeviceUninitialized, {"cudaErrorDeviceUninitialized", "invalid device context"}},
      {cudaErrorInvalidClusterSize, {"cudaErrorInvalidClusterSize", "cluster size is invalid"}},
      {cudaErrorGraphExecUpdateFailure,
       {"cudaErrorGraphExecUpdateFailure",
        "the graph update was not performed because it included changes which violated constraints specific "
        "to instantiated graph update"}},
      {cudaErrorNotSupported, {"cudaErrorNotSupported", "operation not supported"}},
      {cudaErrorStreamCaptureUnsupported,
       {"cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"}},
      {cudaErrorStreamCaptureInvalidated,
       {"cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"}},
      {cudaErrorIllegalState,
       {"cudaErrorIllegalState", "the operation cannot be performed in the present state"}}};
  return all;
}

std::mutex sentences_mutex;
std::map<int, const char*>& sentences() {  // the last of each status
  static auto* const all = new std::map<int, const char*>;
  return *all;
}
// Callers keep the pointers that cudaGetErrorString gave them.
const char* kept(const std::string& sentence) {
  static auto* const all = new std::set<std::string>;
  return all->insert(sentence).first->c_str();
}

const char* text_of(int status) {
  const std::lock_guard lock(sentences_mutex);
  if (const auto said = sentences().find(status); said != sentences().end()) return said->second;
  const auto known = names().find(status);
  return known == names().end() ? "unknown error" : known->second.text;
}
const char* name_of(int status) {
  const auto known = names().find(status);
  return known == names().end() ? "cudaErrorUnknown" : known->second.name;
}

std::string lacks(const std::string& function) {
  return function + ": emulated devices do not have this function of CUDA; do without it, or verify on a GPU";
}

}  // namespace

cudaError_t noted(cudaError_t status) {
  if (status == cudaSuccess) return status;
  last_status = status;
  if (status == lost) return status;
  const std::lock_guard lock(sentences_mutex);
  sentences().erase(status);  // which was of another call
  return status;
}
cudaError_t refused(cudaError_t status, const std::string& sentence) {
  last_status = status;
  const std::lock_guard lock(sentences_mutex);
  if (status != lost || !sentences().contains(status)) sentences()[status] = kept(sentence);
  return status;
}
void lose_device(cudaError_t status, const std::string& sentence) {
  if (cudaError_t well = cudaSuccess; !lost.compare_exchange_strong(well, status)) return;
  emulation::say(sentence);
  last_status = status;
  const std::lock_guard lock(sentences_mutex);
  sentences()[status] = kept(sentence);
}
cudaError_t device_status() { return lost; }

int lacking(const char* name) {
  const std::string sentence = lacks(name);
  {
    static auto* const told = new std::set<std::string>;
    const std::lock_guard lock(sentences_mutex);
    if (told->insert(name).second) emulation::say(sentence);
  }
  return refused(cudaErrorNotSupported, sentence);
}
void lacking_at_load(const char* name) { lose_device(cudaErrorNotSupported, lacks(name)); }

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaGetLastError() {
  const cudaError_t status = last_status;
  last_status = device_status();
  return status != cudaSuccess ? status : device_status();
}
cudaError_t cudaPeekAtLastError() { return last_status != cudaSuccess ? last_status : device_status(); }
const char* cudaGetErrorName(cudaError_t status) { return name_of(status); }
const char* cudaGetErrorString(cudaError_t status) { return text_of(status); }
CUresult cuGetErrorName(CUresult status, const char** name) {
  *name = name_of(status);
  return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult status, const char** text) {
  *text = text_of(status);
  return CUDA_SUCCESS;
}

}  // extern "C"
