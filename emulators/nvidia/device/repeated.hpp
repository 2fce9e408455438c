// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Writes that changed nothing, over another thread's: they are no races, and who made one may read the word.
#pragma once
#include <algorithm>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

inline constexpr std::size_t most_repeated = 16;

// Which of its bytes a write is the last of, may have changed meanwhile.
inline bool is_of(const Repeated& r, const Cell& cell, const Touch& write) {
  constexpr u32 place = bytes_mask | apart_bit;
  return r.cell == &cell && r.over.thread == write.thread && r.over.epoch == write.epoch &&
         ((r.over.what ^ write.what) & ~place) == 0;
}

inline void note_repeated(GpuThread& thread, const Cell& cell, const Touch& over, u32 bytes) {
  for (Repeated& r : thread.repeated)
    if (is_of(r, cell, over)) {
      r.bytes |= bytes;
      return;
    }
  if (thread.repeated.size() == most_repeated) thread.repeated.erase(thread.repeated.begin());
  thread.repeated.push_back({&cell, over, bytes});
}

// Whether the thread has written itself, as they are, those of these bytes of which `last` is the last write.
inline bool has_repeated(const GpuThread& thread, const Cell& cell, const Touch& last, u32 bytes) {
  return std::ranges::any_of(thread.repeated, [&](const Repeated& r) {
    return is_of(r, cell, last) && (bytes & last.what & bytes_mask & ~r.bytes) == 0;
  });
}

}  // namespace podium::ptx
