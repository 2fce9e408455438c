// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensor memory of a block: 128 lanes of 512 columns of 32 bits (PTX ISA 9.7.16.1). An address is the lane <<
// 16, and the column.
#pragma once
#include <array>
#include <deque>
#include <functional>

#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_order.hpp"

namespace podium::ptx {

inline constexpr u32 lane_shift = 16, column_mask = 0xffff, columns_together = 32;  // of an allocation

struct TensorMemory {
  std::array<u32, static_cast<std::size_t>(tensor_lanes) * tensor_columns> words{};
  std::array<u8, static_cast<std::size_t>(tensor_lanes) * tensor_columns> written{};  // 1 or 0 a word
  std::array<u32, tensor_columns / columns_together> allocated{};  // columns of the allocation that holds it
  int line = 0;                                                    // of the last allocation
  u32 group = 0;                                                   // .cta_group of its instructions
  bool relinquished = false;
  std::deque<std::function<void()>> queue;  // tcgen05 operations of the block, done in order
  TensorOrder order;
};

TensorMemory& tensor_memory(Block&);

// A word that the instruction reaches; a fault if it may not.
u32 read_tensor(const TensorIssue&, Block&, u32 lane, u32 column);
void write_tensor(const TensorIssue&, Block&, u32 lane, u32 column, u32 value);
// The same of `count` words from a column on: those that are going to be read, or that the caller writes.
const u32* read_tensor_row(const TensorIssue&, Block&, u32 lane, u32 column, u32 count);
u32* written_tensor_row(const TensorIssue&, Block&, u32 lane, u32 column, u32 count);

// The blocks that an instruction of `group` blocks works on: this one, or the pair that it is in.
Block& block_of(GpuThread&, int line, u32 group, u32 index);
// Enqueues an asynchronous operation behind the block's others.
void tensor_later(GpuThread&, std::function<void()> operation);

}  // namespace podium::ptx
