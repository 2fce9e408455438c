// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory against memory, and memory against one repeated byte: guard zones, inputs that must not change.
#pragma once
#include "kernel.hpp"

namespace podium::program {

// How many bytes of x are not zero, and the first of them (the lowest address).
PODIUM_DEVICE void count_bytes(Count& found, u64 x, i64 offset) {
#if PODIUM_GPU
#pragma unroll 1
#endif
  for (int k = 0; k < 8; ++k)
    if ((x >> (8 * k)) & 0xff) found.merge({1, offset + k});
}

// The 16 bytes at `offset` of what memory is compared with; the same for whole packs and for single bytes.
struct OtherMemory {
  const u8* data;
  PODIUM_DEVICE u64 word(i64 offset) const { return *reinterpret_cast<const u64*>(data + offset); }
  PODIUM_DEVICE u8 byte(i64 offset) const { return data[offset]; }
  PODIUM_DEVICE bool aligned() const { return (reinterpret_cast<u64>(data) & 15) == 0; }
};
struct OneByte {
  u8 value;
  PODIUM_DEVICE u64 word(i64) const { return value * u64(0x0101010101010101u); }
  PODIUM_DEVICE u8 byte(i64) const { return value; }
  PODIUM_DEVICE bool aligned() const { return true; }
};

template <class Other>
PODIUM_DEVICE void compare_bytes(Words words, Group group, const Other other) {
  const u8* const data = words.address<const u8>(bytes_first);
  const i64 bytes = words.integer(bytes_count);
  const bool aligned = (reinterpret_cast<u64>(data) & 15) == 0 && other.aligned();
  const i64 packs = aligned ? bytes / 16 : 0;
  Count mine = Count::identity();
  for_each(packs, group, [&](const i64 pack) {
    const i64 offset = 16 * pack;
#if PODIUM_GPU
    const ulonglong2 here = *reinterpret_cast<const ulonglong2*>(data + offset);
    const u64 low = here.x ^ other.word(offset), high = here.y ^ other.word(offset + 8);
#else
    const u64* const here = reinterpret_cast<const u64*>(data + offset);
    const u64 low = here[0] ^ other.word(offset), high = here[1] ^ other.word(offset + 8);
#endif
    if ((low | high) != 0) count_bytes(mine, low, offset), count_bytes(mine, high, offset + 8);
  });
  for_each(bytes - 16 * packs, group, [&](const i64 k) {
    const i64 offset = 16 * packs + k;
    if (data[offset] != other.byte(offset)) mine.merge({1, offset});
  });
  combine(mine, group_lanes);
  if (first_in_group()) words.address<Count>(launch_results)[group.index] = mine;
}

}  // namespace podium::program

PODIUM_KERNEL(podium_compare_memory) {
  compare_bytes(
      words, group,
      podium::program::OtherMemory{words.address<const podium::program::u8>(podium::program::bytes_second)});
}
PODIUM_KERNEL(podium_compare_byte) {
  compare_bytes(words, group,
                podium::program::OneByte{podium::program::u8(words.word[podium::program::bytes_second])});
}
