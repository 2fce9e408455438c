// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/visits.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

std::string memory_of(const Block& block) {
  return fmt::format("shared memory of block ({},{},{})", block.ids[0], block.ids[1], block.ids[2]);
}

constexpr const char* missing =
    "no barrier of the cluster (cluster.sync()) that both pass, nor anything else that one leaves for the "
    "other, lies between the two";

bool is_over(const Block& block, const GpuThread& visitor, const Visit& last) {
  const u32* const known = block.ended.now().of_block(visitor.block->number);
  if (known && known[visitor.linear] >= last.epoch) return true;
  // As in races.cpp: a read is over when something was told that came behind it.
  return last.reads && launch().told(visitor.number) >= last.epoch;
}

}  // namespace

void see_living(GpuThread& thread, int line, u32 at, const char* does) {
  const Block& block = thread.block->cluster->blocks[at >> rank_shift];
  if (!thread.clock.known || !thread.clock.known->of_block(block.number))
    launch().fail(
        &thread, line,
        fmt::format("it {} {}, which may not have begun by then: {}", does, memory_of(block), missing));
  if (block.alive == 0)
    launch().fail(&thread, line,
                  fmt::format("it {} {}, which has ended: {}", does, memory_of(block), missing));
}

void visit(GpuThread& thread, int line, u32 at, bool strong, bool reads, const char* does) {
  Cluster& cluster = *thread.block->cluster;
  Block& block = cluster.blocks[at >> rank_shift];
  block.visits.resize(cluster.threads.size());
  block.visits[thread.number - cluster.first_number][strong] = {thread.clock.now, at & offset_mask, line,
                                                                reads, does};
}

void see_done(Block& block, u32 offset) {
  for (Visits& visits : block.visits)
    if (visits[1].offset / 4 == offset / 4) visits[1].epoch = 0;
}

void see_visitors_gone(const Block& block) {
  const Cluster& cluster = *block.cluster;
  for (std::size_t i = 0; i < block.visits.size(); ++i)
    for (const Visit& last : block.visits[i]) {
      GpuThread& visitor = *cluster.threads[i];
      if (last.epoch == 0 || is_over(block, visitor, last)) continue;
      launch().fail(&visitor, last.line,
                    fmt::format("it {} {} at {:#x}, which may have ended by then: {}", last.does,
                                memory_of(block), last.offset, missing));
    }
}

}  // namespace podium::ptx
