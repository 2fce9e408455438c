// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/proxies.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace podium::ptx {
namespace {

bool holds(const Gathering& gathered, u32 block, u32 thread, u32 epoch) {
  const u32* const epochs = gathered.now().of_block(block);
  return epochs && epochs[thread] >= epoch;
}

// Calls f(touch) for the word's last write, or for each byte's, where those stand apart.
template <class F>
void each_last(const Cell& cell, F f) {
  if (__builtin_expect((cell.write.what & apart_bit) == 0, 1)) return f(cell.write);
  for (const Touch& last : launch().bytes_apart()[&cell]) f(last);
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
  fine_ = {};
}

void ProxyAccess::check(u32 address, u32 bytes) const {
  Cluster& cluster = *thread_->block->cluster;
  const u32 threads = thread_->block->threads;
  const Cell* const cells = cluster.cells.at(address);
  const auto check_write = [&](const Touch& write) {
    if (write == fine_) return;
    if (write.thread >= first_copy && cluster.copies.any()) {
      if (!cluster.copies.check(*thread_, line_, does_, address, bytes, write, known_, fenced_) ||
          of_tensor_cores_) {
        fine_ = write;
        return;
      }
      missing(address, bytes, cluster.copies.beginner(write), write);
    }
    if (write.thread - cluster.first_number >= cluster.number_count) return;
    if (of_tensor_cores_ && (write.what & async_bit) != 0) return;
    const u32 number = write.thread - cluster.first_of_launch;
    const u32 block = number / threads, thread = number % threads;
    if (holds(fenced_, block, thread, write.epoch) || !holds(known_, block, thread, write.epoch)) {
      fine_ = write;
      return;
    }
    missing(address, bytes, number, write);
  };
  for (u32 word = 0; word < (bytes + 3) / 4; ++word) each_last(cells[word], check_write);
}

void ProxyAccess::missing(u32 address, u32 bytes, u32 number, const Touch& write) const {
  launch().fail(
      thread_, line_,
      fmt::format("a missing fence.proxy.async: {} {} bytes of shared memory at {:#x}, of which {}, and no "
                  "such fence lies between the two",
                  does_, bytes, address, who(number, line_of(write), "wrote some")));
}

namespace {

// Calls f(cell) for each word of the range whose last write is a thread's of this launch.
template <class F>
void each_written(const GpuThread& thread, const Site& site, u64 at, u64 bytes, F f) {
  const Cluster& cluster = *thread.block->cluster;
  if (!site.cells || bytes == 0) return;
  const u64 end = (at + bytes - 1) / 4 - site.begin / 4 + 1;
  for (u64 word = at / 4 - site.begin / 4, next; word < end; word = next) {
    next = std::min(end, word / words_of_chunk * words_of_chunk + words_of_chunk);
    if (written_in(site.cells, word) != cluster.first_of_launch) continue;
    for (u64 i = word; i < next; ++i)
      if (site.cells[i].write.thread - cluster.first_of_launch < cluster.count_of_launch) f(site.cells[i]);
  }
}

bool reaches(const Known& known, u32 block, u32 thread, u32 epoch) {
  const u32* const epochs = known ? known->of_block(block) : nullptr;
  return epochs && epochs[thread] >= epoch;
}

}  // namespace

void read_global_by_copy(GpuThread& thread, int line, const Site& site, u64 at, u64 bytes) {
  touch_by_copy(thread, line, site, at, static_cast<u32>(bytes));
  Touch fine;
  const Cluster& cluster = *thread.block->cluster;
  const auto check_write = [&](const Touch& write) {
    if (fine.thread == write.thread && fine.epoch == write.epoch) return;
    const u32 threads = thread.block->threads, number = write.thread - cluster.first_of_launch;
    if (number >= cluster.count_of_launch) return;
    fine = write;
    const u32 block = number / threads, linear = number % threads;
    if (reaches(thread.clock.proxied, block | global_bit, linear, write.epoch)) return;
    launch().fail(
        &thread, line,
        fmt::format("a missing fence.proxy.async: a bulk copy reads {} bytes of global memory at {:#x}, of "
                    "which {}, and no such fence lies between the two",
                    bytes, at, who(number, line_of(write), "wrote some")));
  };
  each_written(thread, site, at, bytes, [&](const Cell& cell) { each_last(cell, check_write); });
}

void write_global_by_copy(GpuThread& thread, const Site& site, u64 at, u64 bytes) {
  each_written(thread, site, at, bytes, [](Cell& cell) { cell.write.thread = 0; });
}

}  // namespace podium::ptx
