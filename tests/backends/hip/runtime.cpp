// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/backends/hip/runtime.hpp"

#include <cstdint>
#include <cstring>

using podium::gpu::runtime;

#pragma GCC visibility push(default)
extern "C" {
hipError_t hipRuntimeGetVersion(int* version) {
  *version = runtime.version;
  return hipSuccess;
}
hipError_t hipGetDeviceCount(int* count) {
  *count = runtime.count == hipSuccess ? runtime.devices : 0;
  return runtime.count;
}
hipError_t hipSetDevice(int) { return runtime.set; }
hipError_t hipGetDevice(int* ordinal) {
  *ordinal = 0;
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int) {
  *value = attribute == hipDeviceAttributeVirtualMemoryManagementSupported && runtime.virtual_memory;
  return hipSuccess;
}
// By the name that this version's header gives it.
hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int) {
  *properties = {};
  std::strcpy(properties->gcnArchName, runtime.target);
  return hipSuccess;
}
// A small number is no address.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t*, void* shared,
                                           hipMemAllocationHandleType) {
  const auto number = reinterpret_cast<std::uintptr_t>(shared);
  runtime.by_value = number < 4096;
  runtime.imported = runtime.by_value ? static_cast<int>(number) : *static_cast<const int*>(shared);
  return hipSuccess;
}
hipError_t hipModuleLoadData(hipModule_t*, const void*) { return runtime.load; }
hipError_t hipGetLastError() { return hipSuccess; }
const char* hipGetErrorName(hipError_t) { return "hipErrorSomething"; }
const char* hipGetErrorString(hipError_t) { return "its text"; }
}
#pragma GCC visibility pop
