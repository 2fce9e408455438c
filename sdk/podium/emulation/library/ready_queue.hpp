// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The threads of a block that can go on, first come first served.
#pragma once
#include <podium/emulation/shape.hpp>

#include <array>

namespace podium::host {

// Holds each thread at most once, so it never overflows.
class ReadyQueue {
 public:
  void clear() { head_ = tail_ = 0; }
  bool empty() const { return head_ == tail_; }
  void push(unsigned thread) { ring_[tail_++ % ring_.size()] = static_cast<std::uint16_t>(thread); }
  unsigned pop() { return ring_[head_++ % ring_.size()]; }

 private:
  std::array<std::uint16_t, max_block_threads> ring_;
  unsigned head_ = 0, tail_ = 0;  // wrap around together with the ring, whose size is a power of two
};

}  // namespace podium::host
