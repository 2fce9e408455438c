// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk (PTX ISA 9.7.9.25.4): whole ranges between global and shared memory. What an mbarrier counts
// happens as late as it may: when no thread can go on without it. What a group counts happens when the group
// is waited for.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "emulators/nvidia/device/bulk_groups.hpp"
#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/proxies.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 unit = 16;  // bytes: addresses and sizes are multiples of it

u8* global_range(Thread* t, int line, u64 at, u32 bytes, bool write) {
  Site nowhere;
  u8* const found = find_global(t, line, nowhere, at, bytes, unit);
  leave_footprint(of(t), line, at, bytes, write);
  if (write)
    write_global_by_copy(of(t), nowhere, at, bytes);
  else
    read_global_by_copy(of(t), line, nowhere, at, bytes);
  return found;
}

void check_size(Thread* t, int line, u32 bytes) {
  if (bytes % unit != 0)
    launch().fail(&of(t), line,
                  fmt::format("a bulk copy of {} bytes, which is no multiple of {}", bytes, unit));
}

void run(GpuThread& thread, std::size_t count) {
  const auto end = thread.bulk.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto copy = thread.bulk.begin(); copy != end; ++copy) {
    if (copy->run) copy->run();
    thread.block->cluster->copies.has_read(thread, copy->line, copy->from, copy->bytes);
  }
  thread.bulk.erase(thread.bulk.begin(), end);
  for (std::size_t& group : thread.bulk_groups) group -= group < count ? group : count;
}

}  // namespace

void needs_cluster(Thread* t, int line, const char* what) {
  if (!t->clustered)
    launch().fail(
        &of(t), line,
        fmt::format(
            "{} in a kernel that was launched without clusters: to an H200 that is an illegal instruction",
            what));
}

void in_a_group(Thread* t, int line, u32 from, u32 bytes, std::function<void()> copy) {
  if (launch().mode() == Asynchrony::eager) std::exchange(copy, nullptr)();
  of(t).block->cluster->copies.reads_in_group(of(t), line, from, bytes);
  of(t).bulk.push_back({std::move(copy), from, bytes, line});
}

void bulk_load(Thread* t, int line, u32 to, u64 from, u32 bytes, u32 mbarrier, u32 blocks) {
  check_size(t, line, bytes);
  const u8* const source = global_range(t, line, from, bytes, false);
  const u8* const target = shared(t, line, to, bytes, unit);
  if (is_receiver(t, blocks)) {
    touch_shared(t, line, target, bytes, Touching::will_copy);
    mbarrier_check(t, line, mbarrier);
  }
  CopyOrder& copies = of(t).block->cluster->copies;
  const auto each_block = [=](auto f) {  // multicast: the same offsets in each block of the mask
    if (blocks == 0) return f(to, mbarrier);
    each_lane(blocks, [&](u32 rank) {
      f((to & offset_mask) | rank << rank_shift, (mbarrier & offset_mask) | rank << rank_shift);
    });
  };
  each_block([&](u32 at, u32 barrier) { copies.begins(of(t), line, at, bytes, barrier); });
  launch().later(*of(t).block->cluster, [=, &copies] {
    each_block([&](u32 at, u32 barrier) {
      std::memcpy(shared(t, line, at, bytes, unit), source, bytes);
      copies.ends(of(t), line, at, bytes, barrier);
      mbarrier_complete(t, line, barrier, bytes);
    });
  });
}

void bulk_move(Thread* t, int line, u32 to, u32 from, u32 bytes, u32 mbarrier) {
  needs_cluster(t, line, "cp.async.bulk from shared memory to shared memory");
  check_size(t, line, bytes);
  touch_shared(t, line, shared(t, line, to, bytes, unit), bytes, Touching::will_copy);
  touch_shared(t, line, shared(t, line, from, bytes, unit), bytes, Touching::reads_by_copy);
  mbarrier_check(t, line, mbarrier);
  CopyOrder& copies = of(t).block->cluster->copies;
  copies.begins(of(t), line, to, bytes, mbarrier);
  copies.reads(of(t), line, from, bytes, mbarrier);
  launch().later(*of(t).block->cluster, [=, &copies] {
    std::memcpy(shared(t, line, to, bytes, unit), shared(t, line, from, bytes, unit), bytes);
    copies.ends(of(t), line, to, bytes, mbarrier);
    mbarrier_complete(t, line, mbarrier, bytes);
  });
}

void bulk_store(Thread* t, int line, u64 to, u32 from, u32 bytes) {
  check_size(t, line, bytes);
  u8* const target = global_range(t, line, to, bytes, true);
  const u8* const source = shared(t, line, from, bytes, unit);
  touch_shared(t, line, source, bytes, Touching::reads_by_copy);
  in_a_group(t, line, from, bytes, [=] { std::memcpy(target, source, bytes); });
}

void bulk_commit(Thread* t) { of(t).bulk_groups.push_back(of(t).bulk.size()); }
void bulk_wait(Thread* t, u32 pending) {
  GpuThread& thread = of(t);
  if (thread.bulk_groups.size() <= pending) return;
  const std::size_t done = thread.bulk_groups.size() - pending;
  run(thread, thread.bulk_groups[done - 1]);
  thread.bulk_groups.erase(thread.bulk_groups.begin(),
                           thread.bulk_groups.begin() + static_cast<std::ptrdiff_t>(done));
}
// What it reads is not known to be read, for it has not waited.
void finish_bulk(GpuThread& thread) {
  for (BulkCopy& copy : thread.bulk)
    if (copy.run) std::exchange(copy.run, nullptr)();
}

}  // namespace podium::ptx
