// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include <podium/emulation/launch.hpp>
#include <podium/emulation/library/pool.hpp>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

namespace podium::host {
namespace {

// What allow_shared() has granted, by kernel.
class SharedLimits {
 public:
  static SharedLimits& get() {
    static SharedLimits& limits = *new SharedLimits;
    return limits;
  }
  void allow(Kernel kernel, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    bytes_[kernel] = bytes;
  }
  std::size_t of(Kernel kernel) {
    const std::lock_guard lock(mutex_);
    const auto found = bytes_.find(kernel);
    return found == bytes_.end() ? default_shared_bytes : std::max(found->second, default_shared_bytes);
  }

 private:
  std::mutex mutex_;
  std::map<Kernel, std::size_t> bytes_;
};

// Throws what CUDA and HIP would refuse.
void check_launch(dim3 grid, dim3 block, std::size_t shared_bytes, std::size_t shared_limit) {
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
  if (scheduler) refuse("a kernel launches another, which the portable dialect does not support");
}

}  // namespace

void run(Kernel kernel, void (*call)(const void* arguments), const void* arguments, dim3 grid, dim3 block,
         std::size_t shared_bytes, unsigned warp_lanes) {
  check_launch(grid, block, shared_bytes, SharedLimits::get().of(kernel));
  const char* const reverse = std::getenv("PODIUM_HOST_REVERSE");
  Launch launch{
      call, arguments, grid, block, shared_bytes, warp_lanes, reverse && std::strcmp(reverse, "1") == 0};
  if (const auto error = Pool::get().run(launch)) throw std::runtime_error(*error);
}

void allow_shared(Kernel kernel, int bytes) {
  if (bytes < 0 || static_cast<std::size_t>(bytes) > max_shared_bytes)
    throw std::runtime_error("allow_shared: " + std::to_string(bytes) + " bytes; a block may have up to " +
                             std::to_string(max_shared_bytes));
  SharedLimits::get().allow(kernel, static_cast<std::size_t>(bytes));
}

}  // namespace podium::host
