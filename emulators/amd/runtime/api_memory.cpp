// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Entry points: memory of the device and of the host, copies and fills. Both memories are the process's own.
#include <cstring>
#include <set>
#include <string>

#include "emulators/amd/runtime/device.hpp"
#include "emulators/amd/runtime/target.hpp"

using namespace podium::amd;

namespace {

// What a copy is made from, as the headers declare it: HIP 6 has no const there.
template <class Function>
struct Source;
template <class To, class From>
struct Source<hipError_t(To, From, std::size_t)> {
  using Type = From;
};

hipError_t give(void** at, std::size_t bytes, const char* what) {
  *at = nullptr;
  if (bytes == 0) return hipSuccess;
  *at = allocate(bytes, what);
  return result(*at ? hipSuccess : hipErrorOutOfMemory);
}

// As the runtime does: what may still use the memory is waited for.
hipError_t take(void* at) {
  if (!at) return hipSuccess;
  Queues::all().wait_for_all();
  return result(release(at) ? hipSuccess : hipErrorInvalidValue);
}

void enqueue_copy(void* to, const void* from, std::size_t bytes, hipStream_t stream) {
  Queues::all().enqueue(queue_of(stream), {.run = [=] {
                          std::memmove(to, from, bytes);
                          return std::string();
                        }});
}

template <class T>
void enqueue_fill(void* at, T value, std::size_t count, hipStream_t stream) {
  Queues::all().enqueue(queue_of(stream), {.run = [=] {
                          if constexpr (sizeof(T) == 1)
                            std::memset(at, value, count);
                          else
                            for (std::size_t i = 0; i < count; ++i)
                              std::memcpy(static_cast<T*>(at) + i, &value, sizeof value);
                          return std::string();
                        }});
}

hipError_t finished(hipStream_t stream) {
  Queues::all().wait(queue_of(stream));
  return state_of_device();
}

}  // namespace

PODIUM_HIP_ENTRY hipError_t hipMalloc(void** at, size_t bytes) { return give(at, bytes, "hipMalloc"); }
PODIUM_HIP_ENTRY hipError_t hipExtMallocWithFlags(void** at, size_t bytes, unsigned) {
  return give(at, bytes, "hipMalloc");
}
PODIUM_HIP_ENTRY hipError_t hipMallocManaged(void** at, size_t bytes, unsigned) {
  return give(at, bytes, "hipMallocManaged");
}
PODIUM_HIP_ENTRY hipError_t hipHostMalloc(void** at, size_t bytes, unsigned) {
  return give(at, bytes, "hipHostMalloc");
}
PODIUM_HIP_ENTRY hipError_t hipHostAlloc(void** at, size_t bytes, unsigned) {
  return give(at, bytes, "hipHostAlloc");
}
PODIUM_HIP_ENTRY hipError_t hipMallocAsync(void** at, size_t bytes, hipStream_t) {
  return give(at, bytes, "hipMallocAsync");
}
PODIUM_HIP_ENTRY hipError_t hipFree(void* at) { return take(at); }
PODIUM_HIP_ENTRY hipError_t hipHostFree(void* at) { return take(at); }
PODIUM_HIP_ENTRY hipError_t hipFreeAsync(void* at, hipStream_t stream) {
  Queues::all().enqueue(queue_of(stream), {.run = [at] {
                          release(at);
                          return std::string();
                        }});
  return hipSuccess;
}

// The one pool; what it holds is freed at once, so there is nothing to keep or give back.
PODIUM_HIP_ENTRY hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* pool, int ordinal) {
  if (ordinal != 0) return result(hipErrorInvalidDevice);
  *pool = reinterpret_cast<hipMemPool_t>(&Queues::all());
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipMemPoolSetAttribute(hipMemPool_t, hipMemPoolAttr, void*) { return hipSuccess; }
PODIUM_HIP_ENTRY hipError_t hipMemPoolTrimTo(hipMemPool_t, size_t) { return hipSuccess; }

PODIUM_HIP_ENTRY hipError_t hipHostRegister(void* at, size_t bytes, unsigned) {
  allocations().add(at, bytes, "registered memory of the host of " + std::to_string(bytes) + " bytes");
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipHostUnregister(void* at) {
  Queues::all().wait_for_all();
  return result(allocations().remove(at) ? hipSuccess : hipErrorInvalidValue);
}
PODIUM_HIP_ENTRY hipError_t hipHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipMemGetInfo(size_t* free, size_t* total) {
  *total = static_cast<std::size_t>(device_memory);
  *free = *total - std::min(*total, allocated_bytes());
  return hipSuccess;
}

PODIUM_HIP_ENTRY hipError_t hipMemcpyAsync(void* to, const void* from, size_t bytes, hipMemcpyKind,
                                           hipStream_t stream) {
  enqueue_copy(to, from, bytes, stream);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipMemcpy(void* to, const void* from, size_t bytes, hipMemcpyKind) {
  enqueue_copy(to, from, bytes, nullptr);
  return finished(nullptr);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyWithStream(void* to, const void* from, size_t bytes, hipMemcpyKind,
                                                hipStream_t stream) {
  enqueue_copy(to, from, bytes, stream);
  return finished(stream);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyHtoD(hipDeviceptr_t to, Source<decltype(hipMemcpyHtoD)>::Type from,
                                          size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyHostToDevice);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyDtoH(void* to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToHost);
}
PODIUM_HIP_ENTRY hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t bytes) {
  return hipMemcpy(to, from, bytes, hipMemcpyDeviceToDevice);
}
PODIUM_HIP_ENTRY hipError_t hipMemset(void* at, int value, size_t bytes) {
  enqueue_fill(at, static_cast<unsigned char>(value), bytes, nullptr);
  return finished(nullptr);
}
PODIUM_HIP_ENTRY hipError_t hipMemsetAsync(void* at, int value, size_t bytes, hipStream_t stream) {
  enqueue_fill(at, static_cast<unsigned char>(value), bytes, stream);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipMemsetD32Async(hipDeviceptr_t at, int value, size_t count,
                                              hipStream_t stream) {
  enqueue_fill(at, value, count, stream);
  return hipSuccess;
}
PODIUM_HIP_ENTRY hipError_t hipMemsetD32(hipDeviceptr_t at, int value, size_t count) {
  enqueue_fill(at, value, count, nullptr);
  return finished(nullptr);
}
