// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/product_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_order.hpp"

namespace podium::ptx {
namespace {

constexpr u32 marks_of_block = tensor_lanes / lanes_of_mark * tensor_columns;

}  // namespace

void ProductOrder::clear() {
  batches_.clear();
  marks_.clear();
}

u32 ProductOrder::word(const Block& block, u32 lane, u32 column) const {
  return block.rank * marks_of_block + lane / lanes_of_mark * tensor_columns + column;
}

void ProductOrder::begins(GpuThread& thread, int line, const Block& block, u32 lane, u32 column,
                          u32 columns) {
  if (marks_.empty()) marks_.resize(marks_of_block * thread.block->cluster->blocks.size());
  u32& batch = thread.products;
  if (batch == 0 || !batches_[batch - 1].committed.empty() || batches_[batch - 1].line != line) {
    batches_.push_back({thread.number, 0, line, {}});
    const u32 made = static_cast<u32>(batches_.size());
    if (batch != 0) batches_[batch - 1].next = made;
    batch = made;
  }
  std::fill_n(marks_.begin() + word(block, lane, column), columns, batch);
}

void ProductOrder::commit(GpuThread& thread, const Moment& at) {
  if (thread.products != 0) batches_[thread.products - 1].committed.push_back(at);
}

// Later commits tell of earlier products, too.
bool ProductOrder::is_done(u32 batch, const Known& known) const {
  if (!known) return false;
  for (; batch != 0; batch = batches_[batch - 1].next)
    for (const Moment& at : batches_[batch - 1].committed) {
      const u32* const epochs = known->of_block(at.block);
      if (epochs && epochs[at.thread] >= at.epoch) return true;
    }
  return false;
}

void ProductOrder::check(const TensorIssue& issue, const Block& block, u32 lane, u32 column, u32 columns,
                         const char* does) const {
  if (marks_.empty()) return;
  const u32 first = word(block, lane, column);
  u32 fine = 0;
  for (u32 i = first; i < first + columns; ++i) {
    const u32 batch = marks_[i];
    if (batch == fine || batch == 0) continue;
    if (!is_done(batch, issue.known)) {
      const Batch& product = batches_[batch - 1];
      launch().fail(
          issue.thread, issue.line,
          fmt::format(
              "a product that is not waited for: {} {} tensor memory at lane {}, column {}, which a "
              "tcgen05.mma writes that {}: no wait for an mbarrier at which a later tcgen05.commit of "
              "that thread arrives lies between the two",
              issue.name, does, lane, column + i - first,
              who(product.thread - launch().first_number(), product.line, "began")));
    }
    fine = batch;
  }
}

void ProductOrder::forget(const Block& block, u32 column, u32 columns) {
  if (marks_.empty()) return;
  for (u32 lane = 0; lane < tensor_lanes; lane += lanes_of_mark)
    std::fill_n(marks_.begin() + word(block, lane, column), columns, 0u);
}

}  // namespace podium::ptx
