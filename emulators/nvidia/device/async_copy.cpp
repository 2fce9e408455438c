// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cp.async: a copy happens as late as it may, when its group is waited for, so that a missing wait reads what
// was there before.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

void happen(GpuThread& thread, Copy& copy) {
  if (copy.happened) return;
  copy.happened = true;
  u8* const to = thread.shared + copy.to;
  std::memcpy(to, copy.from, copy.source_bytes);
  std::memset(to + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
}

// The first ones are done, and go.
void drop(GpuThread& thread, std::size_t count) {
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + static_cast<std::ptrdiff_t>(count));
  thread.copies_gone += count;
  for (std::size_t& end : thread.groups) end -= end < count ? end : count;
}

// Of the phases of an mbarrier the last one.
void note_counted(GpuThread& thread, const Moment& at) {
  for (Moment& counted : thread.counted)
    if (counted.block == at.block && counted.thread == at.thread) {
      counted.epoch = at.epoch;
      return;
    }
  thread.counted.push_back(at);
}

// The thread waits for the first ones, and for those that have gone to an mbarrier.
void wait_for(GpuThread& thread, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    Copy& copy = thread.copies[i];
    happen(thread, copy);
    thread.block->cluster->copies.has_written(thread, copy.line, copy.to, copy.bytes);
  }
  drop(thread, count);
  for (const Moment& counted : std::exchange(thread.counted, {})) learn(thread, counted);
}

}  // namespace

void copy_async(Thread* t, int line, u32 to, u8* from, u32 bytes, u32 source_bytes) {
  GpuThread& thread = of(t);
  if (source_bytes > bytes)
    launch().fail(&thread, line,
                  fmt::format("cp.async of {} bytes from a source of {}", bytes, source_bytes));
  touch_shared(t, line, shared(t, line, to, bytes, bytes), bytes, Touching::will_write);
  thread.block->cluster->copies.begins_in_group(thread, line, to, bytes);
  thread.copies.push_back({to, from, bytes, source_bytes, line});
  if (launch().mode() == Asynchrony::eager) happen(thread, thread.copies.back());
}
void copy_commit(Thread* t) { of(t).groups.push_back(of(t).copies.size()); }
void copy_wait(Thread* t, u32 pending) {
  GpuThread& thread = of(t);
  if (thread.groups.size() <= pending) return;
  const std::size_t done = thread.groups.size() - pending;
  wait_for(thread, thread.groups[done - 1]);
  thread.groups.erase(thread.groups.begin(), thread.groups.begin() + static_cast<std::ptrdiff_t>(done));
}
void copy_wait_all(Thread* t) {
  wait_for(of(t), of(t).copies.size());
  of(t).groups.clear();
}
void copy_arrive(Thread* t, int line, u32 mbarrier, bool counted) {
  GpuThread& thread = of(t);
  if (!counted) mbarrier_arrivals(t, line, mbarrier, 1);
  mbarrier_check(t, line, mbarrier);
  Cluster& cluster = *thread.block->cluster;
  for (Copy& copy : thread.copies)
    if (!std::exchange(copy.counted, true)) {
      cluster.copies.counts_at(thread, copy.line, copy.to, copy.bytes, mbarrier);
      note_counted(thread, cluster.copies.moment_at(thread, mbarrier));
    }
  const u64 end = thread.copies_gone + thread.copies.size();
  launch().later(cluster, [&thread, line, mbarrier, end, arrival = Arrival(thread)] {
    const std::size_t count = end > thread.copies_gone ? end - thread.copies_gone : 0;
    for (std::size_t i = 0; i < count; ++i) happen(thread, thread.copies[i]);
    drop(thread, count);
    mbarrier_arrive(&thread, line, mbarrier, arrival);
  });
}
// Nobody has waited for them.
void finish_copies(GpuThread& thread) {
  for (Copy& copy : thread.copies) happen(thread, copy);
}

}  // namespace podium::ptx
