// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/proxies.hpp"

#include <fmt/format.h>

namespace podium::ptx {
namespace {

bool holds(const Gathering& gathered, u32 block, u32 thread, u32 epoch) {
  const u32* const epochs = gathered.now().of_block(block);
  return epochs && epochs[thread] >= epoch;
}

}  // namespace

ProxyAccess::ProxyAccess(GpuThread& t, int line, const char* does, bool of_tensor_cores)
    : thread_(&t), line_(line), does_(does), of_tensor_cores_(of_tensor_cores) {
  also_of(t);
  ++t.clock.now;  // what it does next, others do not know of
}

void ProxyAccess::also_of(const GpuThread& lane) {
  known_.add(lane.clock.known, {lane.block->number, lane.linear, lane.block->threads, lane.clock.now});
  fenced_.add(lane.clock.proxied);
}

void ProxyAccess::check(u32 address, u32 bytes) const {
  Cluster& cluster = *thread_->block->cluster;
  const u32 threads = thread_->block->threads;
  const Cell* const cells = cluster.cells.at(address);
  const Touch* fine = nullptr;  // the last write that was fenced
  for (u32 word = 0; word < (bytes + 3) / 4; ++word) {
    const Touch& write = cells[word].write;
    if (fine && fine->thread == write.thread && fine->epoch == write.epoch) continue;
    if (write.thread >= first_copy && cluster.copies.any()) {
      if (!cluster.copies.check(*thread_, line_, does_, address, bytes, write, known_, fenced_) ||
          of_tensor_cores_) {
        fine = &write;
        continue;
      }
      missing(address, bytes, cluster.copies.beginner(write), write);
    }
    if (write.thread - cluster.first_number >= cluster.number_count) continue;
    if (of_tensor_cores_ && (write.what & async_bit) != 0) continue;
    const u32 number = write.thread - cluster.first_of_launch;
    const u32 block = number / threads, thread = number % threads;
    if (holds(fenced_, block, thread, write.epoch) || !holds(known_, block, thread, write.epoch)) {
      fine = &write;
      continue;
    }
    missing(address, bytes, number, write);
  }
}

void ProxyAccess::missing(u32 address, u32 bytes, u32 number, const Touch& write) const {
  launch().fail(
      thread_, line_,
      fmt::format("a missing fence.proxy.async: {} {} bytes of shared memory at {:#x}, of which {}, and no "
                  "such fence lies between the two",
                  does_, bytes, address, who(number, line_of(write), "wrote some")));
}

}  // namespace podium::ptx
