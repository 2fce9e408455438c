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

}  // namespace

void see_living(GpuThread& thread, int line, u32 at, const char* does) {
  const Block& block = thread.block->cluster->blocks[at >> rank_shift];
  if (block.alive != 0) return;
  launch().fail(&thread, line,
                fmt::format("it {} {}, which has ended: no barrier of the cluster (cluster.sync()), nor "
                            "anything else that it waits for, keeps it until then",
                            does, memory_of(block)));
}

void visit(GpuThread& thread, int line, u32 at, const char* does) {
  see_living(thread, line, at, does);
  Cluster& cluster = *thread.block->cluster;
  std::vector<Visit>& visits = cluster.blocks[at >> rank_shift].visits;
  visits.resize(cluster.threads.size());
  visits[thread.number - cluster.first_number] = {thread.clock.now, line, at & offset_mask, does};
}

void see_visitors_gone(const Block& block) {
  const Cluster& cluster = *block.cluster;
  for (std::size_t i = 0; i < block.visits.size(); ++i) {
    const Visit& last = block.visits[i];
    GpuThread& visitor = *cluster.threads[i];
    const u32* const known = block.ended.now().of_block(visitor.block->number);
    if (last.epoch == 0 || (known && known[visitor.linear] >= last.epoch)) continue;
    launch().fail(&visitor, last.line,
                  fmt::format("it {} {} at {:#x}, which may have ended by then: no barrier of the cluster "
                              "(cluster.sync()) that both pass, nor anything else that it waits for, keeps "
                              "it until then",
                              last.does, memory_of(block), last.offset));
  }
}

}  // namespace podium::ptx
