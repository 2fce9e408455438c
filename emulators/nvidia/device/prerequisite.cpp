// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/prerequisite.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

// Whether some thread's wait is ordered before what this one does now.
bool knows_of_a_wait(const GpuThread& thread) {
  if (!thread.clock.known) return false;
  const u32 threads = thread.block->threads;
  for (const Knowledge::OfBlock& known : thread.clock.known->blocks) {
    if (u64{known.block} * threads >= launch().number_count())
      continue;  // an mbarrier's, or of global memory
    const Epochs& epochs = *known.epochs;
    for (u32 i = 0; i < std::min<std::size_t>(threads, epochs.size()); ++i)
      if (const u32 waited = launch().waited_in(known.block * threads + i);
          waited != 0 && epochs[i] >= waited)
        return true;
  }
  return false;
}

}  // namespace

bool Touched::any(u64 at, u64 bytes, bool or_read) const {
  return std::ranges::any_of(by, [&](const Footprint& one) { return one.touched(at, bytes, or_read); });
}

void touch_before_wait(GpuThread& thread, int line, u64 at, u64 bytes, bool write) {
  const Touched& before = *launch().prerequisite();
  if (!before.any(at, bytes, write)) return;
  if (knows_of_a_wait(thread)) {
    thread.before_wait = false;
    return;
  }
  launch().fail(
      &thread, line,
      fmt::format("a missing griddepcontrol.wait (cudaGridDependencySynchronize()): it {} {} bytes of global "
                  "memory at {:#x}, which kernel {} before it in its stream {}, and that may still run",
                  write ? "writes" : "reads", bytes, at, before.kernel,
                  before.any(at, bytes, false) ? "wrote" : "read"));
}

void wait_for_prerequisite(Thread* t) {
  GpuThread& thread = of(t);
  if (!thread.before_wait) return;
  thread.before_wait = false;
  launch().waited_in(thread.number - launch().first_number()) = thread.clock.now;
}

}  // namespace podium::ptx
