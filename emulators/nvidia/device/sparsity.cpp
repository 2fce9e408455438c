// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/sparsity.hpp"

#include <fmt/format.h>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 rows = 16, bits_of_chunk = 4;

struct Place {
  u32 lane, shift;
};

// Where the bits of a row begin that stand for its chunk: a row has 16 to 64 of them. Of elements of 16 and
// 32 bits a register holds 16 of two rows each, of narrower ones 32 of one row.
Place place_of(const Metadata& m, u32 row, u32 chunk) {
  const u32 quad = row % 8 * 4, high = row / 8, bit = chunk * bits_of_chunk;
  const u32 row_bits = m.k / chunk_of(m.how) * bits_of_chunk;
  if (row_bits == 16) return {quad + m.selector, 16 * high + bit};
  if (m.wide) return {quad + 2 * m.selector + bit / 16, 16 * high + bit % 16};
  if (row_bits == 32) return {quad + 2 * m.selector + high, bit};
  return {quad + high + 2 * (bit / 32), bit % 32};
}

}  // namespace

bool append_places(std::vector<u32>& places, Sparsity how, bool ordered, u32 chunk, u32 bits) {
  const u32 first = bits & 3, second = bits >> 2 & 3, begin = chunk * chunk_of(how);
  if (how == Sparsity::one_of_two) {
    constexpr u32 lower = 0b0100, upper = 0b1110;
    if (bits != lower && bits != upper) return false;
    places.push_back(begin + (bits == upper ? 1 : 0));
    return true;
  }
  if (first == second || (ordered && first > second)) return false;
  for (const u32 number : {first, second}) {
    if (how == Sparsity::two_of_four) {
      places.push_back(begin + number);
    } else {
      places.push_back(begin + 2 * number);
      places.push_back(begin + 2 * number + 1);
    }
  }
  return true;
}

StoredPlaces stored_places(GpuThread& thread, int line, const char* what, const Metadata& m,
                           const u32* words) {
  StoredPlaces places(rows);
  for (u32 row = 0; row < rows; ++row)
    for (u32 chunk = 0; chunk < m.k / chunk_of(m.how); ++chunk) {
      const Place at = place_of(m, row, chunk);
      const u32 bits = words[at.lane] >> at.shift & 15;
      if (append_places(places[row], m.how, m.ordered, chunk, bits)) continue;
      const char* const expected = m.how == Sparsity::one_of_two ? "0b0100 or 0b1110"
                                   : m.ordered
                                       ? "two different numbers of two bits, the smaller one in the low bits"
                                       : "two different numbers of two bits";
      launch().fail(
          &thread, line,
          fmt::format(
              "{} whose sparsity metadata {:#010x} of lane {} has {:#06b} in bits {} to {}, for row {} "
              "of the warp's, columns {} to {}; expected {}",
              what, words[at.lane], at.lane, bits, at.shift, at.shift + 3, row, chunk * chunk_of(m.how),
              (chunk + 1) * chunk_of(m.how) - 1, expected));
    }
  return places;
}

}  // namespace podium::ptx
