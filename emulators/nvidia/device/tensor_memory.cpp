// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Allocation of tensor memory, and the checks of every access.
#include "emulators/nvidia/device/tensor_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff;
constexpr u32 unwritten = 0xffffffff;

void check_columns(GpuThread& thread, int line, u32 columns) {
  if (columns < columns_together || columns > tensor_columns || (columns & (columns - 1)) != 0)
    launch().fail(&thread, line,
                  fmt::format("{} columns of tensor memory; expected a power of two from {} to {}", columns,
                              columns_together, tensor_columns));
}

void check_group(GpuThread& thread, int line, TensorMemory& memory, u32 group) {
  if (memory.group != 0 && memory.group != group)
    launch().fail(
        &thread, line,
        fmt::format(".cta_group::{} after .cta_group::{}: all tcgen05 instructions of a kernel must name "
                    "the same",
                    group, memory.group));
  memory.group = group;
}

u32& word_at(const TensorIssue& issue, Block& block, u32 lane, u32 column) {
  if (lane >= tensor_lanes || column >= tensor_columns)
    launch().fail(
        issue.thread, issue.line,
        fmt::format("an access to tensor memory at lane {}, column {}; there are {} lanes and {} columns",
                    lane, column, tensor_lanes, tensor_columns));
  TensorMemory& memory = tensor_memory(block);
  if (memory.allocated[column / columns_together] == 0)
    launch().fail(issue.thread, issue.line,
                  fmt::format("an access to tensor memory at column {}, which is not allocated", column));
  return memory.words[tensor_word(lane, column)];
}

// `count` words from there on; a fault at the first that may not be reached.
u32* row_at(const TensorIssue& issue, Block& block, u32 lane, u32 column, u32 count) {
  u32* const first = &word_at(issue, block, lane, column);
  for (u32 next = column / columns_together * columns_together + columns_together; next < column + count;
       next += columns_together)
    word_at(issue, block, lane, next);
  return first;
}

// Of registers' loads and stores, which touch all lanes of a mark.
void check_products(const TensorIssue& issue, const Block& block, u32 lane, u32 column, u32 count,
                    const char* does) {
  if (issue.of_registers && lane % lanes_of_mark == 0)
    block.cluster->products.check(issue, block, lane, column, count, does);
}

// The first free columns, so many; nothing if there are not.
std::optional<u32> reserve(TensorMemory& memory, u32 columns) {
  const u32 count = columns / columns_together;
  for (u32 at = 0; at + count <= memory.allocated.size(); at += count) {
    const auto begin = memory.allocated.begin() + at;
    if (!std::all_of(begin, begin + count, [](u32 owner) { return owner == 0; })) continue;
    std::fill(begin, begin + count, columns);
    const u32 first = at * columns_together;
    for (u32 lane = 0; lane < tensor_lanes; ++lane) {
      const u32 word = tensor_word(lane, first);
      std::fill_n(&memory.words[word], columns, unwritten);
      std::memset(&memory.written[word], 0, columns);
      memory.order.forget(word, columns);
    }
    return first;
  }
  return std::nullopt;
}

struct Request {
  GpuThread* thread;
  int line;
  u32 group, at, columns;
  bool done = false;
};

void allocate(Request* const* all, u32 lanes) {
  Request& one = *all[0];
  TensorMemory& memory = tensor_memory(*one.thread->block);
  check_columns(*one.thread, one.line, one.columns);
  check_group(*one.thread, one.line, memory, one.group);
  if (memory.relinquished)
    launch().fail(one.thread, one.line, "tcgen05.alloc after tcgen05.relinquish_alloc_permit");
  const auto first = reserve(memory, one.columns);
  if (!first) return;
  one.thread->block->cluster->products.forget(*one.thread->block, *first, one.columns);
  memory.line = one.line;
  write(shared(one.thread, one.line, one.at, 4, 4), *first);
  touch_shared(one.thread, one.line, shared(one.thread, one.line, one.at, 4, 4), 4, Touching::writes);
  each_lane(lanes, [&](u32 lane) { all[lane]->done = true; });
}

void release(Request* const* all, u32) {
  const Request& one = *all[0];
  TensorMemory& memory = tensor_memory(*one.thread->block);
  check_columns(*one.thread, one.line, one.columns);
  check_group(*one.thread, one.line, memory, one.group);
  const u32 first = one.at / columns_together, count = one.columns / columns_together;
  for (u32 i = first; i < first + count; ++i) {
    if (i >= memory.allocated.size() || one.at % one.columns != 0 || memory.allocated[i] != one.columns)
      launch().fail(one.thread, one.line,
                    fmt::format("tcgen05.dealloc of {} columns at {:#x}, which were not allocated together",
                                one.columns, one.at));
    memory.allocated[i] = 0;
  }
  const TensorIssue issue(*one.thread, one.line, "tcgen05.dealloc");
  for (u32 lane = 0; lane < tensor_lanes; ++lane)
    memory.order.free(issue, tensor_word(lane, one.at), one.columns);
  launch().happened();
}

}  // namespace

TensorMemory& tensor_memory(Block& block) {
  if (!block.tensor_memory) block.tensor_memory = std::make_shared<TensorMemory>();
  return *block.tensor_memory;
}

u32 read_tensor(const TensorIssue& issue, Block& block, u32 lane, u32 column) {
  const u32 value = word_at(issue, block, lane, column);
  check_products(issue, block, lane, column, 1, "reads");
  TensorMemory& memory = tensor_memory(block);
  if (memory.written[tensor_word(lane, column)] == 0)
    launch().fail(
        issue.thread, issue.line,
        fmt::format("tensor memory at lane {}, column {} is read before it is written", lane, column));
  memory.order.read(issue, tensor_word(lane, column), 1);
  return value;
}

void write_tensor(const TensorIssue& issue, Block& block, u32 lane, u32 column, u32 value) {
  *written_tensor_row(issue, block, lane, column, 1) = value;
}

const u32* read_tensor_row(const TensorIssue& issue, Block& block, u32 lane, u32 column, u32 count) {
  const u32* const words = row_at(issue, block, lane, column, count);
  const TensorMemory& memory = tensor_memory(block);
  check_products(issue, block, lane, column, count, "reads");
  if (std::memchr(&memory.written[tensor_word(lane, column)], 0, count))
    for (u32 i = 0; i < count; ++i) read_tensor(issue, block, lane, column + i);
  memory.order.read(issue, tensor_word(lane, column), count);
  return words;
}

u32* written_tensor_row(const TensorIssue& issue, Block& block, u32 lane, u32 column, u32 count) {
  u32* const words = row_at(issue, block, lane, column, count);
  TensorMemory& memory = tensor_memory(block);
  check_products(issue, block, lane, column, count, "overwrites");
  memory.order.write(issue, tensor_word(lane, column), count);
  std::memset(&memory.written[tensor_word(lane, column)], 1, count);
  return words;
}

Block& block_of(GpuThread& thread, int line, u32 group, u32 index) {
  check_group(thread, line, tensor_memory(*thread.block), group);
  if (group == 1) return *thread.block;
  Cluster& cluster = *thread.block->cluster;
  const u32 rank = (thread.block->rank & ~1u) + index;
  if (rank >= cluster.blocks.size())
    launch().fail(&thread, line, ".cta_group::2 in a block that has no other of its pair in the cluster");
  return cluster.blocks[rank];
}

void tensor_later(GpuThread& thread, std::function<void()> operation) {
  TensorMemory& memory = tensor_memory(*thread.block);
  if (launch().mode() == Asynchrony::eager) return operation();
  memory.queue.push_back(std::move(operation));
  launch().later(*thread.block->cluster, [&memory] {
    const auto next = std::move(memory.queue.front());
    memory.queue.pop_front();
    next();
  });
}

void tensor_alloc(Thread* t, int line, u32 group, u32 to, u32 columns) {
  Request mine{&of(t), line, group, to, columns};
  for (;;) {
    meet<Request>(t, line, all_lanes, "tcgen05.alloc", mine, &allocate);
    if (mine.done) return;
    yield(t, line);  // until others free some
  }
}
void tensor_dealloc(Thread* t, int line, u32 group, u32 at, u32 columns) {
  Request mine{&of(t), line, group, at, columns};
  meet<Request>(t, line, all_lanes, "tcgen05.dealloc", mine, &release);
}
void tensor_relinquish(Thread* t, int, u32) { tensor_memory(*of(t).block).relinquished = true; }

// What words hold is said when they are allocated.
void tensor_memory_anew(Block& block) {
  if (!block.tensor_memory) return;
  TensorMemory& memory = *block.tensor_memory;
  memory.allocated.fill(0);
  memory.line = 0;
  memory.group = 0;
  memory.relinquished = false;
  memory.queue.clear();
  memory.order.clear();
}

void tensor_memory_without(GpuThread& last) {
  if (!last.block->tensor_memory) return;
  const TensorMemory& memory = *last.block->tensor_memory;
  u32 columns = 0;
  for (const u32 owner : memory.allocated) columns += owner != 0 ? columns_together : 0;
  if (columns != 0)
    launch().fail(
        &last, memory.line,
        fmt::format("the block ends with {} columns of tensor memory, which no tcgen05.dealloc gave back",
                    columns));
}

}  // namespace podium::ptx
