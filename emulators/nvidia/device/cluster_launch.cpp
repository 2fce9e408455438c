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
  launch().later(*of(t).block->cluster, [=] {
    std::array<u32, 4> answer{};
    if (const auto first = launch().take_next()) answer = {1, (*first)[0], (*first)[1], (*first)[2]};
    const u32 blocks = to_all_blocks ? t->blocks : 1;
    for (u32 i = 0; i < blocks; ++i) {
      const auto in_block = [&](u32 at) { return to_all_blocks ? (at & offset_mask) | i << rank_shift : at; };
      write(shared(t, line, in_block(to), bytes, bytes), answer);
      forget(of(t), in_block(to), bytes);
      mbarrier_complete(t, line, in_block(mbarrier), bytes);
    }
  });
}

}  // namespace podium::ptx
