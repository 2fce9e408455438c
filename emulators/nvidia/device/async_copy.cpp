// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// cp.async: a copy happens as late as it may, when its group is waited for, so that a missing wait reads what
// was there before.
#include <fmt/format.h>

#include <cstring>

#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

void run(GpuThread& thread, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Copy& copy = thread.copies[i];
    touch_shared(&thread, copy.line, copy.to, copy.bytes, Touching::writes_async);
    std::memcpy(copy.to, copy.from, copy.source_bytes);
    std::memset(copy.to + copy.source_bytes, 0, copy.bytes - copy.source_bytes);
  }
  thread.copies.erase(thread.copies.begin(), thread.copies.begin() + static_cast<std::ptrdiff_t>(count));
  for (std::size_t& end : thread.groups) end -= end < count ? end : count;
}

}  // namespace

void copy_async(Thread* t, int line, u32 to, u8* from, u32 bytes, u32 source_bytes) {
  GpuThread& thread = of(t);
  if (source_bytes > bytes)
    launch().fail(&thread, line,
                  fmt::format("cp.async of {} bytes from a source of {}", bytes, source_bytes));
  u8* const target = shared(t, line, to, bytes, bytes);
  touch_shared(t, line, target, bytes, Touching::will_write);
  thread.copies.push_back({target, from, bytes, source_bytes, line});
  if (launch().mode() == Asynchrony::eager) run(thread, thread.copies.size());
}
void copy_commit(Thread* t) { of(t).groups.push_back(of(t).copies.size()); }
void copy_wait(Thread* t, u32 pending) {
  GpuThread& thread = of(t);
  if (thread.groups.size() <= pending) return;
  const std::size_t done = thread.groups.size() - pending;
  run(thread, thread.groups[done - 1]);
  thread.groups.erase(thread.groups.begin(), thread.groups.begin() + static_cast<std::ptrdiff_t>(done));
}
void copy_wait_all(Thread* t) {
  run(of(t), of(t).copies.size());
  of(t).groups.clear();
}
void copy_arrive(Thread* t, int line, u32 mbarrier, bool counted) {
  GpuThread& thread = of(t);
  if (!counted) mbarrier_arrivals(t, line, mbarrier, 1);
  mbarrier_check(t, line, mbarrier);
  launch().later(*thread.block->cluster, [&thread, line, mbarrier] {
    run(thread, thread.copies.size());
    mbarrier_arrive(&thread, line, mbarrier, 1, 0, false);
  });
}
void finish_copies(GpuThread& thread) { run(thread, thread.copies.size()); }

}  // namespace podium::ptx
