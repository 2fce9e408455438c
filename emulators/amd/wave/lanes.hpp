// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which lane another lane's operand comes from: data-parallel primitives (DPP) and swizzles of DS.
#pragma once
#include <cstdint>

namespace podium::amd {

// The lane that lane `l` of `wave` reads under DPP control word `control`; -1: there is none.
inline int dpp_lane(int control, int l, int wave) {
  const int row = l & ~15, i = l & 15, n = control & 15;
  if (control < 256) return (l & ~3) | (control >> (2 * (l & 3)) & 3);  // any order within four
  switch (control >> 4) {
    case 0x10:  // row_shl
      return i + n < 16 ? row | (i + n) : -1;
    case 0x11:  // row_shr
      return i >= n ? row | (i - n) : -1;
    case 0x12:  // row_ror
      return row | ((i - n) & 15);
    case 0x15:  // row_newbcast, row_share
      return row | n;
    case 0x16:  // row_xmask
      return row | (i ^ n);
    default:
      break;
  }
  switch (control) {
    case 0x130:  // wave_shl
      return l + 1 < wave ? l + 1 : -1;
    case 0x134:  // wave_rol
      return (l + 1) % wave;
    case 0x138:  // wave_shr
      return l > 0 ? l - 1 : -1;
    case 0x13c:  // wave_ror
      return (l + wave - 1) % wave;
    case 0x140:  // row_mirror
      return row | (15 - i);
    case 0x141:  // row_half_mirror
      return (l & ~7) | (7 - (l & 7));
    case 0x142:  // row_bcast15
      return l >= 16 ? row - 1 : -1;
    case 0x143:  // row_bcast31
      return l >= 32 ? 31 : -1;
    default:
      return -1;
  }
}

inline int dpp8_lane(std::uint32_t selects, int l) {
  return (l & ~7) | static_cast<int>(selects >> (3 * (l & 7)) & 7);
}

inline int swizzle_lane(std::uint32_t pattern, int l) {
  if (pattern & 0x8000) return (l & ~3) | static_cast<int>(pattern >> (2 * (l & 3)) & 3);
  const auto i = static_cast<std::uint32_t>(l & 31);
  return (l & 32) | static_cast<int>(((i & pattern & 31) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
}

// V_PERMLANE16: within a row of 16, by nibbles of two words; V_PERMLANEX16: from the other row.
inline int permlane(std::uint64_t selects, int l, bool other) {
  return ((l ^ (other ? 16 : 0)) & ~15) | static_cast<int>(selects >> (4 * (l & 15)) & 15);
}

}  // namespace podium::amd
