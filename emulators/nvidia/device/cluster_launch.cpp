// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/cluster_launch.hpp"

#include <array>

#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {

void launch_cancel(Thread* t, int line, u32 to, u32 mbarrier, bool to_all_blocks) {
  constexpr u32 bytes = 16;
  shared(t, line, to, bytes, bytes);
  mbarrier_check(t, line, mbarrier);
  CopyOrder& copies = of(t).block->cluster->copies;
  const auto each_block = [=](auto f) {
    if (!to_all_blocks) return f(to, mbarrier);
    for (u32 i = 0; i < t->blocks; ++i)
      f((to & offset_mask) | i << rank_shift, (mbarrier & offset_mask) | i << rank_shift);
  };
  each_block([&](u32 at, u32 barrier) { copies.begins(of(t), line, at, bytes, barrier); });
  launch().later(*of(t).block->cluster, [=, &copies] {
    std::array<u32, 4> answer{};
    if (const auto first = launch().take_next()) answer = {1, (*first)[0], (*first)[1], (*first)[2]};
    each_block([&](u32 at, u32 barrier) {
      write(shared(t, line, at, bytes, bytes), answer);
      copies.ends(of(t), line, at, bytes, barrier);
      mbarrier_complete(t, line, barrier, bytes);
    });
  });
}

}  // namespace podium::ptx
