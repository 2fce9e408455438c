// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Pools of memory. What one holds is freed at once, so there is nothing to keep or give back.
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "emulators/nvidia/runtime/status.hpp"

namespace podium::ptx {
namespace {

struct Pool {
  int may_reuse[3] = {1, 1,
                      1};  // cudaMemPoolReuseFollowEventDependencies, ...AllowOpportunistic, ...Internal
  std::uint64_t release_threshold = 0;  // bytes
};

std::mutex mutex;
std::map<cudaMemPool_t, std::unique_ptr<Pool>>& pools() {
  static auto* const all = new std::map<cudaMemPool_t, std::unique_ptr<Pool>>;
  return *all;
}
cudaMemPool_t created() {
  auto pool = std::make_unique<Pool>();
  const auto handle = reinterpret_cast<cudaMemPool_t>(pool.get());
  pools()[handle] = std::move(pool);
  return handle;
}
cudaMemPool_t default_pool() {
  static const cudaMemPool_t one = created();
  return one;
}
cudaMemPool_t current = nullptr;  // nullptr: the default one

// Copies an attribute to `value`, or from there. cudaErrorInvalidValue: no such pool.
cudaError_t attribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value, bool set) {
  const std::lock_guard lock(mutex);
  default_pool();
  const auto pool = pools().find(handle);
  if (pool == pools().end()) return noted(cudaErrorInvalidValue);
  const auto exchange = [&](auto& kept) {
    auto& given = *static_cast<std::remove_reference_t<decltype(kept)>*>(value);
    (set ? kept : given) = set ? given : kept;
    return cudaSuccess;
  };
  switch (which) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      return exchange(pool->second->may_reuse[which - cudaMemPoolReuseFollowEventDependencies]);
    case cudaMemPoolAttrReleaseThreshold:
      return exchange(pool->second->release_threshold);
    default:
      if (set) return cudaSuccess;  // a high-water mark that is put back to zero
      return refused(
          cudaErrorNotSupported,
          fmt::format(
              "cudaMemPoolGetAttribute: emulated devices do not count what a pool holds (attribute {})",
              static_cast<int>(which)));
  }
}

}  // namespace
}  // namespace podium::ptx

using namespace podium::ptx;

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int ordinal) {
  if (ordinal != 0) return noted(cudaErrorInvalidDevice);
  const std::lock_guard lock(podium::ptx::mutex);
  *pool = default_pool();
  return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int ordinal) {
  if (ordinal != 0) return noted(cudaErrorInvalidDevice);
  const std::lock_guard lock(podium::ptx::mutex);
  *pool = current ? current : default_pool();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int ordinal, cudaMemPool_t pool) {
  if (ordinal != 0) return noted(cudaErrorInvalidDevice);
  const std::lock_guard lock(podium::ptx::mutex);
  default_pool();
  if (!pools().contains(pool)) return noted(cudaErrorInvalidValue);
  current = pool;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  if (properties->location.type != cudaMemLocationTypeDevice || properties->location.id != 0)
    return refused(cudaErrorNotSupported, "cudaMemPoolCreate: emulated devices have pools of device 0 alone");
  const std::lock_guard lock(podium::ptx::mutex);
  *pool = created();
  return cudaSuccess;
}
// Memory that was taken from it lives on, as on a device.
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  const std::lock_guard lock(podium::ptx::mutex);
  if (pool == default_pool() || pools().erase(pool) == 0) return noted(cudaErrorInvalidValue);
  if (current == pool) current = nullptr;
  return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return attribute(pool, which, value, true);
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr which, void* value) {
  return attribute(pool, which, value, false);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void** at, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  {
    const std::lock_guard lock(podium::ptx::mutex);
    default_pool();
    if (!pools().contains(pool)) return noted(cudaErrorInvalidValue);
  }
  return cudaMallocAsync(at, bytes, stream);
}

// Where managed memory should lie: it lies where everything does.
#if CUDART_VERSION >= 13000  // before, a location was a device's number
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeDevice && location.id != 0) return noted(cudaErrorInvalidDevice);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation location, unsigned, cudaStream_t) {
  if (location.type == cudaMemLocationTypeDevice && location.id != 0) return noted(cudaErrorInvalidDevice);
  return cudaSuccess;
}
#endif
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned) { return cudaSuccess; }

}  // extern "C"
