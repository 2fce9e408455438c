// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cudaMalloc and its like, registered host memory.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "emulators/common/shared_file.hpp"
#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/runtime/memory.hpp"
#include "emulators/nvidia/runtime/queue.hpp"
#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

constexpr int fresh =
    0xff;  // what new device memory holds: NaN in every format, so that nobody relies on zeros

struct Piece {
  std::size_t bytes;
  bool on_device;
};
std::recursive_mutex mutex;  // releasing a piece gives its bytes back
std::map<void*, Piece>& pieces() {
  static auto* const all = new std::map<void*, Piece>;
  return *all;
}
std::size_t taken = 0;

cudaError_t allocate(void** at, std::size_t bytes, const char* by, bool on_device) {
  *at = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (Device::get().spoils_capture()) return noted(cudaErrorStreamCaptureUnsupported);
  if (!take_memory(bytes)) return noted(cudaErrorMemoryAllocation);
  std::byte* const memory = emulation::map_private(bytes);
  if (!memory) {
    give_memory_back(bytes);
    return noted(cudaErrorMemoryAllocation);
  }
  std::memset(memory, on_device ? fresh : 0, bytes);
  const std::lock_guard lock(mutex);
  pieces()[memory] = {bytes, on_device};
  device_memory().add(memory, bytes, fmt::format("{} of {} bytes", by, bytes));
  *at = memory;
  return cudaSuccess;
}

cudaError_t release(void* at) {
  if (!at) return cudaSuccess;
  const std::lock_guard lock(mutex);
  const auto found = pieces().find(at);
  if (found == pieces().end()) return noted(cudaErrorInvalidValue);
  device_memory().remove(at);
  emulation::unmap(static_cast<std::byte*>(at), found->second.bytes);
  give_memory_back(found->second.bytes);
  pieces().erase(found);
  return cudaSuccess;
}

// What a capture would make of it.
cudaError_t no_memory_node(const char* call, cudaStream_t stream) {
  const Queue* const queue = Device::get().find(stream);
  if (!queue || !queue->capture) return cudaSuccess;
  return refused(cudaErrorNotSupported,
                 fmt::format("{} in a stream that is captured: emulated devices have no graphs with nodes of "
                             "memory; allocate before the capture, and free behind it",
                             call));
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work, bool wait) {
  Queue* const queue = Device::get().find(stream);
  if (!queue) return noted(cudaErrorInvalidResourceHandle);
  if (wait && Device::get().spoils_capture()) return noted(cudaErrorStreamCaptureUnsupported);
  Device::get().enqueue(*queue, {.ready = {}, .run = std::move(work)});
  if (wait) Device::get().wait_for(*queue);
  return noted(device_status());
}

bool take_memory(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  if (bytes > device_bytes - taken) return false;
  taken += bytes;
  return true;
}
void give_memory_back(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  taken -= bytes;
}
std::size_t memory_taken() {
  const std::lock_guard lock(mutex);
  return taken;
}

}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaMalloc(void** at, size_t bytes) { return allocate(at, bytes, "cudaMalloc", true); }
cudaError_t cudaMallocManaged(void** at, size_t bytes, unsigned) {
  return allocate(at, bytes, "cudaMallocManaged", true);
}
cudaError_t cudaMallocAsync(void** at, size_t bytes, cudaStream_t stream) {
  *at = nullptr;
  if (const auto status = no_memory_node("cudaMallocAsync", stream); status != cudaSuccess) return status;
  return allocate(at, bytes, "cudaMallocAsync", true);
}
cudaError_t cudaMallocHost(void** at, size_t bytes) { return allocate(at, bytes, "cudaMallocHost", false); }
cudaError_t cudaHostAlloc(void** at, size_t bytes, unsigned) {
  return allocate(at, bytes, "cudaHostAlloc", false);
}
cudaError_t cudaFree(void* at) {
  if (at) Device::get().wait_for_all();
  return release(at);
}
cudaError_t cudaFreeHost(void* at) { return cudaFree(at); }
cudaError_t cudaFreeAsync(void* at, cudaStream_t stream) {
  if (const auto status = no_memory_node("cudaFreeAsync", stream); status != cudaSuccess) return status;
  return enqueue(stream, [=] { release(at); }, false);
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = device_bytes;
  *free = device_bytes - memory_taken();
  return cudaSuccess;
}

cudaError_t cudaHostRegister(void* at, size_t bytes, unsigned) try {
  device_memory().add(at, bytes, fmt::format("registered host memory of {} bytes", bytes));
  return cudaSuccess;
} catch (const std::logic_error&) {
  return noted(cudaErrorHostMemoryAlreadyRegistered);
}
cudaError_t cudaHostUnregister(void* at) {
  Device::get().wait_for_all();
  return device_memory().remove(at) ? cudaSuccess : noted(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  *device = host;
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* at) {
  *attributes = {};
  const auto window = device_memory().find(reinterpret_cast<std::uint64_t>(at), 1);
  attributes->type = cudaMemoryTypeUnregistered;
  if (!window) return cudaSuccess;
  const std::lock_guard lock(podium::ptx::mutex);
  const auto piece = pieces().find(reinterpret_cast<void*>(window->begin));
  attributes->type =
      piece != pieces().end() && !piece->second.on_device ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
  attributes->devicePointer = const_cast<void*>(at);
  attributes->hostPointer = attributes->type == cudaMemoryTypeHost ? const_cast<void*>(at) : nullptr;
  return cudaSuccess;
}

}  // extern "C"
