// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// All that differs between versions of ROCm's runtime, and between HIP's two platforms, as far as judge and
// worker call it. What differs for kernels is in sdk/podium/platform.hpp.
//
// properties    hipDeviceProp_t became larger with ROCm 6, under a function of another name, R0600, which
//               hip_runtime_api.h puts in the place of the old one. A program and a runtime of different
//               versions would write past its end: so the name that the headers choose is called, and the
//               runtime has it or does not load.
// warp size     is asked for at run time: gfx9 has 64 lanes, gfx10 and later 32, and ROCm 7 has no constant.
// descriptors   are imported by address before HIP 7.1, by value from then on.
// addresses     are pointers on AMD's platform, numbers on NVIDIA's.
// handle types  requestedHandleType is the one name in ROCm 6 and 7; the plural came with 7.
#pragma once
#include <fmt/format.h>
#include <hip/hip_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include "backends/cuda/driver.hpp"
#endif

namespace podium::gpu::hip {

// hipRuntimeGetVersion: major * 10^7 + minor * 10^5 + patch.
constexpr int version(int major, int minor) { return major * 10'000'000 + minor * 100'000; }
inline std::string version_text(int number) {
  return fmt::format("{}.{}.{}", number / 10'000'000, number / 100'000 % 100, number % 100'000);
}

inline constexpr int oldest = version(6, 2);  // the first whose __shfl_*_sync are CUDA's: scripts/compiler
inline constexpr int descriptors_by_value_since = version(7, 1);

using Properties = hipDeviceProp_t;
inline hipError_t properties(Properties* of, int ordinal) { return hipGetDeviceProperties(of, ordinal); }

#if defined(__HIP_PLATFORM_NVIDIA__)

// Addresses are numbers there.
using Address = hipDeviceptr_t;
inline Address address(const void* at) { return reinterpret_cast<Address>(at); }

inline std::string architecture(const Properties& properties) {
  return fmt::format("sm_{}{}", properties.major, properties.minor);
}
inline hipError_t import_descriptor(hipMemGenericAllocationHandle_t* allocation, int descriptor) {
  return hipMemImportFromShareableHandle(allocation,
                                         reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor)),
                                         hipMemHandleTypePosixFileDescriptor);
}
inline void request_descriptor(hipMemAllocationProp& properties) {
  properties.requestedHandleTypes = hipMemHandleTypePosixFileDescriptor;
}
// HIP 5.7 has no name for the next two on this platform.
inline hipError_t allow_shared(hipFunction_t function, unsigned bytes) {
  return hipCUResultTohipError(gpu::allow_shared(function, bytes));
}
inline hipError_t reset_persisting_cache() {
  return cudaCtxResetPersistingL2Cache() == cudaSuccess ? hipSuccess : hipErrorUnknown;
}

#else

static_assert(HIP_VERSION >= oldest, "HIP of ROCm 6.2 or later is needed");

using Address = void*;
inline Address address(void* at) { return at; }

// "gfx942" of "gfx942:sramecc+:xnack-".
inline std::string architecture(const Properties& properties) {
  const std::string target = properties.gcnArchName;
  return target.substr(0, target.find(':'));
}

// Of the timer that kernels read with wall_clock64(), in kHz.
inline hipError_t timer_rate(int* kilohertz, int ordinal) {
  return hipDeviceGetAttribute(kilohertz, hipDeviceAttributeWallClockRate, ordinal);
}

inline hipError_t import_descriptor(hipMemGenericAllocationHandle_t* allocation, int descriptor) {
  int number = 0;
  if (const auto status = hipRuntimeGetVersion(&number); status != hipSuccess) return status;
  void* const handle = number < descriptors_by_value_since
                           ? static_cast<void*>(&descriptor)
                           : reinterpret_cast<void*>(static_cast<std::intptr_t>(descriptor));
  return hipMemImportFromShareableHandle(allocation, handle, hipMemHandleTypePosixFileDescriptor);
}

inline hipError_t allow_shared(hipFunction_t, unsigned) {
  return hipSuccess;  // all that a compute unit has may be used
}

inline void request_descriptor(hipMemAllocationProp& properties) {
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
}

#endif

}  // namespace podium::gpu::hip
