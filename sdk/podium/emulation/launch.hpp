// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium::launch and what goes with it. A launch returns when the kernel has run; it throws
// std::runtime_error when the launch is one that a GPU would refuse, and when a thread broke a rule: block,
// thread, file and line.
#pragma once
#include <podium/emulation/pool.hpp>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// The dynamic shared memory of the block, as an array of T named `name`; 16-byte aligned.
#define PODIUM_DYNAMIC_SHARED(T, name) \
  T* const name = reinterpret_cast<T*>(podium::host::scheduler->dynamic_shared())

namespace podium {
namespace host {

// What allow_shared() has granted, by kernel.
class SharedLimits {
 public:
  static SharedLimits& get() {
    static SharedLimits& limits = *new SharedLimits;
    return limits;
  }
  void allow(void (*kernel)(), std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_[kernel] = bytes;
  }
  std::size_t of(void (*kernel)()) {
    const std::lock_guard lock(mutex_);
    const auto found = bytes_.find(kernel);
    return found == bytes_.end() ? default_shared_bytes : std::max(found->second, default_shared_bytes);
  }

 private:
  std::mutex mutex_;
  std::map<void (*)(), std::size_t> bytes_;
};

// Throws what CUDA and HIP would refuse.
inline void check_launch(dim3 grid, dim3 block, std::size_t shared_bytes, std::size_t shared_limit) {
  const auto refuse = [](const std::string& what) { throw std::runtime_error("launch: " + what); };
  const std::uint64_t threads = volume(block);
  if (threads < 1 || threads > max_block_threads || block.z > 64)
    refuse("a block of " + text(block) + " threads; it may have 1 to 1024, 64 of them along z");
  if (volume(grid) < 1 || grid.x > 0x7FFFFFFF || grid.y > 65535 || grid.z > 65535)
    refuse("a grid of " + text(grid) +
           " blocks; it may have 1 to 2147483647 along x, 1 to 65535 along y and z");
  if (shared_bytes > shared_limit)
    refuse(std::to_string(shared_bytes) + " bytes of dynamic shared memory; this kernel may have " +
           std::to_string(shared_limit) +
           (shared_limit < max_shared_bytes ? ", or more after podium::allow_shared" : ""));
  if (scheduler) refuse("a kernel launches another, which the portable dialect does not know");
}

}  // namespace host

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t shared_bytes, Stream,
            Arguments&&... arguments) {
  const auto limit = host::SharedLimits::get().of(reinterpret_cast<void (*)()>(kernel));
  host::check_launch(grid, block, shared_bytes, limit);
  using Call = std::tuple<void (*)(Parameters...), std::remove_cv_t<Parameters>...>;
  const Call call{kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...};
  const char* const reverse = std::getenv("PODIUM_HOST_REVERSE");
  host::Launch launch{[](const void* what) {
                        std::apply([](auto function, const auto&... parameters) { function(parameters...); },
                                   *static_cast<const Call*>(what));
                      },
                      &call,
                      grid,
                      block,
                      shared_bytes,
                      reverse && std::strcmp(reverse, "1") == 0};
  if (const auto error = host::Pool::get().run(launch)) throw std::runtime_error(*error);
}

// Once, in the constructor, for a kernel that wants more than 48 KiB of dynamic shared memory.
template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), int bytes) {
  if (bytes < 0 || static_cast<std::size_t>(bytes) > host::max_shared_bytes)
    throw std::runtime_error("allow_shared: " + std::to_string(bytes) + " bytes; a block may have up to " +
                             std::to_string(host::max_shared_bytes));
  host::SharedLimits::get().allow(reinterpret_cast<void (*)()>(kernel), static_cast<std::size_t>(bytes));
}

}  // namespace podium
