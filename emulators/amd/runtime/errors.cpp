// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/errors.hpp"

#include <array>
#include <mutex>
#include <set>

#include "emulators/amd/runtime/device.hpp"

namespace podium::amd {
namespace {

thread_local hipError_t last = hipSuccess;

struct Known {
  hipError_t status;
  const char* name;
  const char* text;
};

constexpr std::array<Known, 17> known = {{
    {hipSuccess, "hipSuccess", "no error"},
    {hipErrorInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {hipErrorOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {hipErrorNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {hipErrorInvalidConfiguration, "hipErrorInvalidConfiguration", "invalid configuration argument"},
    {hipErrorInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    {hipErrorInvalidDeviceFunction, "hipErrorInvalidDeviceFunction", "invalid device function"},
    {hipErrorNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {hipErrorInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {hipErrorInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {hipErrorNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {hipErrorNotFound, "hipErrorNotFound", "named symbol not found"},
    {hipErrorNotReady, "hipErrorNotReady", "device not ready"},
    {hipErrorIllegalAddress, "hipErrorIllegalAddress", "an illegal memory access was encountered"},
    {hipErrorLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {hipErrorNotSupported, "hipErrorNotSupported", "operation not supported"},
    {hipErrorStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported",
     "operation not permitted when stream is capturing"},
}};

// Sentences outlive whoever asks for one: callers keep the pointer.
struct Sentences {
  std::mutex mutex;
  std::set<std::string> all;
  std::array<const char*, 1100> of_status{};
};

Sentences& sentences() {
  static auto* const one = new Sentences;
  return *one;
}

const Known* find(hipError_t status) {
  for (const Known& one : known)
    if (one.status == status) return &one;
  return nullptr;
}

}  // namespace

hipError_t result(hipError_t status) {
  if (status != hipSuccess) last = status;
  return status;
}

hipError_t refused(hipError_t status, const std::string& sentence) {
  Sentences& kept = sentences();
  const std::lock_guard lock(kept.mutex);
  const auto number = static_cast<std::size_t>(status);
  if (number < kept.of_status.size()) kept.of_status[number] = kept.all.insert(sentence).first->c_str();
  return result(status);
}

}  // namespace podium::amd

PODIUM_HIP_ENTRY hipError_t hipGetLastError() {
  const auto status = podium::amd::last;
  podium::amd::last = hipSuccess;
  return status;
}
PODIUM_HIP_ENTRY hipError_t hipExtGetLastError() { return hipGetLastError(); }
PODIUM_HIP_ENTRY hipError_t hipPeekAtLastError() { return podium::amd::last; }
PODIUM_HIP_ENTRY const char* hipGetErrorName(hipError_t status) {
  const auto* const one = podium::amd::find(status);
  return one ? one->name : "hipErrorUnknown";
}
PODIUM_HIP_ENTRY const char* hipGetErrorString(hipError_t status) {
  auto& kept = podium::amd::sentences();
  const std::lock_guard lock(kept.mutex);
  const auto number = static_cast<std::size_t>(status);
  if (number < kept.of_status.size() && kept.of_status[number]) return kept.of_status[number];
  const auto* const one = podium::amd::find(status);
  return one ? one->text : "unknown error";
}

namespace podium::amd {

// Called by the entry points that rest.py writes.
int lacking(const char* name) {
  return refused(hipErrorNotSupported, std::string(name) + " is not part of the emulated runtime");
}

}  // namespace podium::amd
