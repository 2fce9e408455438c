// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scratch memory of a contestant, metered.
#pragma once
#include <podium/table.hpp>

#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace podium {

// Memory comes zeroed and 256-byte aligned and stays until the contestant is destroyed. Throws
// std::runtime_error beyond the problem's limit (`requires: scratch`, in bytes, of both kinds together) or
// when the device has no more.
class Workspace {
 public:
  explicit Workspace(const wire::Services& services) : services_(services), left_(services.scratch_limit) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  template <class T = std::byte>
  T* device(std::size_t count) {
    return static_cast<T*>(take(wire::Memory::device, count, sizeof(T)));
  }
  template <class T = std::byte>
  T* pinned(std::size_t count) {  // host memory that the device can reach
    return static_cast<T*>(take(wire::Memory::pinned, count, sizeof(T)));
  }

 private:
  void* take(wire::Memory kind, std::size_t count, std::size_t size) {
    const char* const name = kind == wire::Memory::device ? "device" : "pinned";
    if (count > std::numeric_limits<std::size_t>::max() / size || count * size > left_)
      throw std::runtime_error(std::string("workspace: ") + name + " memory for " + std::to_string(count) +
                               " elements of " + std::to_string(size) + " bytes is more than the " +
                               std::to_string(left_) + " bytes left of " +
                               std::to_string(services_.scratch_limit) + " that this problem allows");
    void* const memory = services_.allocate(services_.owner, kind, count * size);
    if (!memory)
      throw std::runtime_error(std::string("workspace: no ") + name + " memory left for " +
                               std::to_string(count * size) + " bytes, though the problem allows them");
    left_ -= count * size;
    return memory;
  }

  const wire::Services services_;
  std::uint64_t left_;
};

}  // namespace podium
