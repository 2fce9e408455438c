// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points: physical memory apart from addresses, which is how judge and worker share an arena. A handle
// is an anonymous file; its descriptor travels between processes.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "emulators/amd/runtime/device.hpp"
#include "emulators/amd/runtime/target.hpp"
#include "emulators/amd/runtime/version.hpp"
#include "emulators/common/shared_file.hpp"

using namespace podium::amd;

namespace {

struct Physical {
  int descriptor = -1;
  std::size_t bytes = 0;
  bool own = false;  // counts as this process's
};

Physical* physical(hipMemGenericAllocationHandle_t handle) { return reinterpret_cast<Physical*>(handle); }

}  // namespace

PODIUM_HIP_ENTRY hipError_t hipMemGetAllocationGranularity(size_t* bytes, const hipMemAllocationProp*,
                                                           hipMemAllocationGranularity_flags) {
  *bytes = std::size_t{2} << 20;
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t bytes,
                                         const hipMemAllocationProp*, unsigned long long) {
  if (static_cast<std::int64_t>(allocated_bytes() + bytes) > device_memory)
    return result(hipErrorOutOfMemory);
  const int descriptor = podium::emulation::make_shared_file(bytes);
  if (descriptor < 0) return result(hipErrorOutOfMemory);
  count_bytes(static_cast<std::int64_t>(bytes));
  *handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(new Physical{descriptor, bytes, true});
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle) {
  Physical* const memory = physical(handle);
  close(memory->descriptor);  // what is mapped stays
  if (memory->own) count_bytes(-static_cast<std::int64_t>(memory->bytes));
  delete memory;
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemExportToShareableHandle(void* handle,
                                                          hipMemGenericAllocationHandle_t memory,
                                                          hipMemAllocationHandleType type,
                                                          unsigned long long) {
  if (type != hipMemHandleTypePosixFileDescriptor) return result(hipErrorNotSupported);
  const int copy = fcntl(physical(memory)->descriptor, F_DUPFD_CLOEXEC, 0);
  *static_cast<int*>(handle) = copy;
  return result(copy < 0 ? hipErrorOutOfMemory : hipSuccess);
}

PODIUM_HIP_ENTRY hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle,
                                                            void* shared, hipMemAllocationHandleType type) {
  if (type != hipMemHandleTypePosixFileDescriptor) return result(hipErrorNotSupported);
  const int copy = fcntl(descriptor_of(shared, runtime_version), F_DUPFD_CLOEXEC, 0);
  struct stat status{};
  if (copy < 0 || fstat(copy, &status) != 0) return result(hipErrorInvalidValue);
  *handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(
      new Physical{copy, static_cast<std::size_t>(status.st_size), false});
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemAddressReserve(void** at, size_t bytes, size_t, void*, unsigned long long) {
  *at = podium::emulation::map_private(bytes);
  return result(*at ? hipSuccess : hipErrorOutOfMemory);
}

PODIUM_HIP_ENTRY hipError_t hipMemAddressFree(void* at, size_t bytes) {
  podium::emulation::unmap(static_cast<std::byte*>(at), bytes);
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemMap(void* at, size_t bytes, size_t offset,
                                      hipMemGenericAllocationHandle_t handle, unsigned long long) {
  const Physical* const memory = physical(handle);
  if (offset + bytes > memory->bytes) return result(hipErrorInvalidValue);
  if (mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory->descriptor,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return result(hipErrorOutOfMemory);
  allocations().add(at, bytes, "mapped memory of " + std::to_string(bytes) + " bytes");
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemUnmap(void* at, size_t bytes) {
  Queues::all().wait_for_all();
  if (!allocations().remove(at)) return result(hipErrorInvalidValue);
  mmap(at, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemSetAccess(void*, size_t, const hipMemAccessDesc*, size_t) {
  return hipSuccess;
}
