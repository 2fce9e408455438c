// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A block's shared memory, poisoned before each block: what a GPU leaves there is anyone's guess.
#pragma once
#include <podium/emulation/library/static_shared.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace podium::host {

inline constexpr std::size_t max_shared_bytes = 227 << 10;     // a block may ask for that much on Hopper
inline constexpr std::size_t default_shared_bytes = 48 << 10;  // without allow_shared, on every CUDA device

class BlockMemory {
 public:
  std::byte* dynamic() { return memory_.get(); }

  // All bits set, which reads as NaN or -1, in static and dynamic shared memory of this OS thread.
  void poison(std::size_t dynamic_bytes) {
    bytes_ = dynamic_bytes;
    std::fill_n(memory_.get(), bytes_, std::byte{0xFF});
    std::fill_n(memory_.get() + bytes_, beyond, untouched);
    poison_static_shared();
  }
  // Whether nothing was written just beyond the dynamic part.
  bool intact() const {
    const std::byte* const end = memory_.get() + bytes_;
    return std::all_of(end, end + beyond, [](std::byte b) { return b == untouched; });
  }

 private:
  static constexpr std::size_t beyond = 256;  // bytes watched
  static constexpr std::byte untouched{0xA5};
  static constexpr std::align_val_t alignment{128};
  struct Free {
    void operator()(std::byte* p) const { ::operator delete[](p, alignment); }
  };
  std::unique_ptr<std::byte[], Free> memory_{new (alignment) std::byte[max_shared_bytes + beyond]};
  std::size_t bytes_ = 0;
};

}  // namespace podium::host
