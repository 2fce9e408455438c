// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory of the host backend: private pages, and the arena in a sealed memory file.
#pragma once
#include <cstddef>

#include "suite/base/descriptor.hpp"
#include "suite/device/device.hpp"

namespace podium::host {

// mmap and munmap.
class Mapping {
 public:
  Mapping() = default;
  // Zeroed private pages (descriptor -1), or a memory file shared with whoever else maps it. Throws
  // podium::Error.
  Mapping(std::size_t bytes, int descriptor = -1);
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();
  // Pages of 2 MiB, where the machine grants some, for what is not yet written: to flush with these takes
  // less time (docs/measuring.md).
  void prefer_large_pages();
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class PrivateMemory : public device::Memory {
 public:
  explicit PrivateMemory(std::size_t bytes);  // throws podium::Error if the machine has less to give

 private:
  Mapping mapping_;
};

class SharedArena : public device::Arena {
 public:
  explicit SharedArena(std::size_t bytes);  // rounded up to 2 MiB, all of it reserved; throws podium::Error
  device::Handle handle() const override { return {.descriptor = file_.get()}; }

 private:
  Descriptor file_;
  Mapping mapping_;
};

}  // namespace podium::host
