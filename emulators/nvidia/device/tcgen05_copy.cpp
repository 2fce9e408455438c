// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05.cp from shared to tensor memory, and tcgen05.commit, which tells an mbarrier of what came before.
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/shared_matrix.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_memory.hpp"

namespace podium::ptx {
namespace {

constexpr u32 unit = 16, words_of_unit = 4, lanes_of_warp = 32;

// 16 padded elements of 4 or 6 bits as bytes: four bits in the middle, or six at the bottom.
void decompress(u8* bytes, u32 width) {
  std::array<u8, unit> wide{};
  for (u32 i = 0; i < unit; ++i) {
    u32 code = 0;
    for (u32 bit = 0; bit < width; ++bit) {
      const u32 at = i * width + bit;
      code |= (bytes[at / 8] >> (at % 8) & 1u) << bit;
    }
    wide[i] = static_cast<u8>(width == 4 ? code << 2 : code);
  }
  std::memcpy(bytes, wide.data(), unit);
}

void copy_unit(const TensorIssue& issue, const TensorCopy& how, Block& block, u32 row, u32 column,
               const u8* from) {
  std::array<u8, unit> bytes{};
  std::memcpy(bytes.data(), from, unit);
  if (how.bits != 0) decompress(bytes.data(), how.bits);
  for (u32 copy = 0; copy < how.copies; ++copy) {
    const u32 lane = row * how.lane_step + copy * how.copy_step + row / lanes_of_warp * how.fold;
    for (u32 word = 0; word < words_of_unit; ++word)
      write_tensor(issue, block, lane, column + word, read<u32>(bytes.data() + 4 * word));
  }
}

}  // namespace

void tensor_copy_shared(Thread* t, int line, const TensorCopy& how, u32 to, u64 descriptor) {
  GpuThread& thread = of(t);
  for (u32 i = 0; i < how.group; ++i) block_of(thread, line, how.group, i);
  tensor_later(thread, [issue = TensorIssue(thread, line, "tcgen05.cp"),
                        access = ProxyAccess(thread, line, "tcgen05.cp reads"), how, to, descriptor] {
    GpuThread& thread = *issue.thread;
    const int line = issue.line;
    for (u32 i = 0; i < how.group; ++i) {
      Block& block = block_of(thread, line, how.group, i);
      const SharedMatrix matrix{descriptor, block.rank, how.lanes, how.bytes, {Element::u8_}, false};
      each_unit(access, matrix, [&](u32 row, u32 byte, const u8* from) {
        copy_unit(issue, how, block, row, (to & column_mask) + byte / 4, from);
      });
    }
  });
}

void tensor_commit(Thread* t, int line, u32 group, u32 mbarrier, u32 blocks) {
  GpuThread& thread = of(t);
  for (u32 i = 0; i < group; ++i) block_of(thread, line, group, i);
  mbarrier_check(t, line, mbarrier);
  Cluster& cluster = *thread.block->cluster;
  const auto tell = [&](u32 at) { cluster.products.commit(thread, cluster.copies.moment_at(thread, at)); };
  if (blocks == 0)
    tell(mbarrier);
  else
    each_lane(blocks, [&](u32 rank) { tell((mbarrier & offset_mask) | rank << rank_shift); });
  tensor_later(thread, [t, line, mbarrier, blocks, arrival = Arrival(thread)] {
    if (blocks == 0) return mbarrier_arrive(t, line, mbarrier, arrival);
    each_lane(blocks, [&](u32 rank) {
      mbarrier_arrive(t, line, (mbarrier & offset_mask) | rank << rank_shift, arrival);
    });
  });
}

}  // namespace podium::ptx
