// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points: what the device is.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "emulators/amd/runtime/device.hpp"
#include "emulators/amd/runtime/target.hpp"
#include "emulators/amd/runtime/version.hpp"

using namespace podium::amd;

namespace {

constexpr int wall_clock = 100000;  // kHz: that of all these devices

hipError_t only_device(int device) { return device == 0 ? hipSuccess : hipErrorInvalidDevice; }

}  // namespace

// The judge looks for this name: no time of a device behind this library means anything.
extern "C" __attribute__((visibility("default"))) const char podium_emulator = 1;

PODIUM_HIP_ENTRY hipError_t hipInit(unsigned) { return hipSuccess; }
PODIUM_HIP_ENTRY hipError_t hipGetDeviceCount(int* count) {
  *count = 1;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipSetDevice(int device) { return result(only_device(device)); }
PODIUM_HIP_ENTRY hipError_t hipGetDevice(int* device) {
  *device = 0;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipDeviceGet(hipDevice_t* device, int ordinal) {
  *device = 0;
  return result(only_device(ordinal));
}
PODIUM_HIP_ENTRY hipError_t hipRuntimeGetVersion(int* version) {
  *version = runtime_version;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipDriverGetVersion(int* version) { return hipRuntimeGetVersion(version); }
PODIUM_HIP_ENTRY hipError_t hipDeviceGetPCIBusId(char* text, int bytes, int device) {
  std::snprintf(text, static_cast<std::size_t>(bytes), "0000:00:00.0");
  return result(only_device(device));
}

PODIUM_HIP_ENTRY hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int device) {
  if (device != 0) return result(hipErrorInvalidDevice);
  const Target& t = target();
  *properties = {};
  std::snprintf(properties->name, sizeof properties->name, "%s", t.product.c_str());
  const char* const suffix =
      t.name == "gfx90a" || t.name == "gfx942" || t.name == "gfx950" ? ":sramecc+:xnack-" : "";
  std::snprintf(properties->gcnArchName, sizeof properties->gcnArchName, "%s%s", t.name.c_str(), suffix);
  properties->totalGlobalMem = static_cast<std::size_t>(device_memory);
  properties->sharedMemPerBlock = properties->sharedMemPerMultiprocessor = t.lds;
  properties->maxSharedMemoryPerMultiProcessor = t.lds;
  properties->regsPerBlock = properties->regsPerMultiprocessor = 65536;
  properties->warpSize = t.wave;
  properties->maxThreadsPerBlock = most_threads;
  properties->maxThreadsPerMultiProcessor = threads_of_a_unit;
  for (int axis = 0; axis < 3; ++axis) {
    properties->maxThreadsDim[axis] = most_threads;
    properties->maxGridSize[axis] = axis == 0 ? 2147483647 : 65536;
  }
  properties->multiProcessorCount = compute_units;
  properties->l2CacheSize = static_cast<int>(t.l2);
  properties->major = t.major;
  properties->minor = t.minor;
  properties->clockRate = properties->memoryClockRate = 1000000;
  properties->memoryBusWidth = 64;
  properties->canMapHostMemory = properties->concurrentKernels = properties->unifiedAddressing = 1;
  properties->managedMemory = properties->cooperativeLaunch = 1;
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (device != 0) return result(hipErrorInvalidDevice);
  switch (attribute) {
    case hipDeviceAttributeWarpSize:
      *value = target().wave;
      break;
    case hipDeviceAttributeMultiprocessorCount:
      *value = compute_units;
      break;
    case hipDeviceAttributeMaxThreadsPerBlock:
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
      *value = most_threads;
      break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
      *value = threads_of_a_unit;
      break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
    case hipDeviceAttributeSharedMemPerBlockOptin:
    case hipDeviceAttributeMaxSharedMemoryPerMultiprocessor:
      *value = static_cast<int>(target().lds);
      break;
    case hipDeviceAttributeL2CacheSize:
      *value = static_cast<int>(target().l2);
      break;
    case hipDeviceAttributeWallClockRate:
      *value = wall_clock;
      break;
    case hipDeviceAttributeComputeCapabilityMajor:
      *value = target().major;
      break;
    case hipDeviceAttributeComputeCapabilityMinor:
      *value = target().minor;
      break;
    case hipDeviceAttributeVirtualMemoryManagementSupported:
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeCooperativeLaunch:
      *value = 1;
      break;
    default:
      *value = 0;
  }
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipFuncSetAttribute(const void*, hipFuncAttribute, int) { return hipSuccess; }
PODIUM_HIP_ENTRY hipError_t hipFuncSetCacheConfig(const void*, hipFuncCache_t) { return hipSuccess; }
PODIUM_HIP_ENTRY hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*,
                                                                         int threads, size_t) {
  *blocks = threads > 0 && threads <= most_threads ? threads_of_a_unit / threads : 0;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipOccupancyMaxPotentialBlockSize(int* grid, int* block, const void*, size_t,
                                                              int limit) {
  *block = limit > 0 ? std::min(limit, most_threads) : most_threads;
  *grid = compute_units * (threads_of_a_unit / *block);
  return hipSuccess;
}
