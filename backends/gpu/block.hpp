// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Device memory as blocks of physical memory mapped by hand. A block can be opened by another process only if
// it was made to be shared, and only through its descriptor: no guessed or forged handle leads to the judge's
// own memory, and neither process's user id matters.
#pragma once
#include <cstddef>

#include "backends/gpu/api.hpp"
#include "suite/base/descriptor.hpp"
#include "suite/device/device.hpp"

namespace podium::gpu {

inline constexpr std::size_t block_unit = std::size_t{2}
                                          << 20;  // bytes; page and granularity of both vendors
std::size_t round_up(std::size_t bytes);          // to blocks, at least one

// A block and the addresses it is mapped to, on one device.
class Block {
 public:
  Block() = default;
  Block(int device, std::size_t bytes, bool shared);  // throws podium::Error if the device has less to give
  Block(int device, std::size_t bytes, const Descriptor& file);  // another process's block
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  ~Block();

  Descriptor exported() const;  // of a shared block
  // Bytes of all blocks on that device that this process has allocated and not given back.
  static std::int64_t held(int device);
  // Shared blocks that are made from now on are within this device's reach, too.
  static void let_reach(int device);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void map(int device, bool shared);
  void free();

  std::size_t bytes_ = 0;
  api::Allocation allocation_{};
  std::byte* data_ = nullptr;
  bool held_ = false, mapped_ = false;
  int device_ = 0;
  bool own_ = false;  // allocated here, not another process's
};

class PrivateMemory : public device::Memory {
 public:
  PrivateMemory(int device, std::size_t bytes);  // not zeroed
 private:
  Block block_;
};

class SharedArena : public device::Arena {
 public:
  SharedArena(int device, std::size_t bytes);  // not zeroed
  device::Handle handle() const override { return {.descriptor = file_.get()}; }

 private:
  Block block_;
  Descriptor file_;
};

}  // namespace podium::gpu
