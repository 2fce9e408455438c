// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scratch memory of a contestant, metered.
#pragma once
#include <podium/error.hpp>
#include <podium/table.hpp>

#include <cstddef>
#include <cstdio>
#include <limits>

namespace podium {

// Memory comes zeroed and 256-byte aligned and stays until the contestant is destroyed. Throws Error if the
// request exceeds the problem's limit (`requires: scratch`, in bytes, both kinds together) or the device has
// no memory left.
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
      refuse(
          "workspace: %s memory for %llu elements of %llu bytes exceeds the %llu bytes left of %llu that "
          "this problem allows",
          name, count, size, left_, services_.scratch_limit);
    void* const memory = services_.allocate(services_.owner, kind, count * size);
    if (!memory)
      refuse("workspace: no %s memory left for %llu bytes, though the problem allows them", name,
             count * size);
    left_ -= count * size;
    return memory;
  }

  template <class... Numbers>
  [[noreturn]] static void refuse(const char* form, const char* name, Numbers... numbers) {
    char text[256];
    std::snprintf(text, sizeof text, form, name, static_cast<unsigned long long>(numbers)...);
    throw Error(text);
  }

  const wire::Services services_;
  std::uint64_t left_;
};

}  // namespace podium
