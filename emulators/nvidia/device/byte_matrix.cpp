// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// ldmatrix and stmatrix of 8-bit elements (PTX ISA 9.7.14.5.15, .16): rows of 16 elements, whose addresses
// come from a lane each. Elements of 6 and 4 bits are packed at the beginning of their row, and lie in the
// low bits of their byte in a register.
#include <array>
#include <cstring>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, row_elements = 16;
using Row = std::array<u8, row_elements>;

struct Operands {
  Thread* thread;
  int line;
  u32 at, count, rows, bits;
  u32* registers;
};

u8* row_of(const Operands& lane, u32 bytes, Touching how) {
  u8* const at = shared(lane.thread, lane.line, lane.at, row_elements, row_elements);
  touch_shared(lane.thread, lane.line, at, bytes, how);
  return at;
}

Row unpacked(const Operands& lane) {
  const u32 bits = lane.bits;
  const u8* const from = row_of(lane, row_elements * bits / 8, Touching::reads);
  Row row{};
  for (u32 i = 0; i < row_elements; ++i)
    for (u32 bit = 0; bit < bits; ++bit) {
      const u32 at = i * bits + bit;
      row[i] = static_cast<u8>(row[i] | (from[at / 8] >> (at % 8) & 1) << bit);
    }
  return row;
}

void load(Operands* const* all, u32) {
  const u32 rows = all[0]->rows, registers = rows / 8;
  for (u32 matrix = 0; matrix < all[0]->count; ++matrix) {
    std::array<Row, 16> tile;
    for (u32 row = 0; row < rows; ++row) tile[row] = unpacked(*all[matrix * rows + row]);
    for (u32 lane = 0; lane < 32; ++lane)
      for (u32 r = 0; r < registers; ++r) {
        std::array<u8, 4> bytes;
        for (u32 e = 0; e < 4; ++e) {
          const u32 across = lane / 4 + 8 * r, along = lane % 4 * 4 + e;
          bytes[e] = rows == 8 ? tile[across][along] : tile[along][across];
        }
        std::memcpy(&all[lane]->registers[matrix * registers + r], bytes.data(), bytes.size());
      }
  }
}

void store(Operands* const* all, u32) {
  constexpr u32 rows = 8;
  for (u32 matrix = 0; matrix < all[0]->count; ++matrix) {
    std::array<Row, rows> tile;
    for (u32 lane = 0; lane < 32; ++lane)
      for (u32 e = 0; e < 4; ++e)
        tile[lane % 4 * 2 + e % 2][lane / 4 + 8 * (e / 2)] =
            static_cast<u8>(all[lane]->registers[matrix] >> 8 * e);
    for (u32 row = 0; row < rows; ++row)
      std::memcpy(row_of(*all[matrix * rows + row], row_elements, Touching::writes), tile[row].data(),
                  row_elements);
  }
}

}  // namespace

void load_byte_matrix(Thread* t, int line, u32 at, u32 count, u32 rows, u32 bits, u32* out) {
  Operands mine{t, line, at, count, rows, bits, out};
  meet<Operands>(t, line, all_lanes, "ldmatrix", mine, &load);
}

void store_byte_matrix(Thread* t, int line, u32 at, u32 count, const u32* in) {
  Operands mine{t, line, at, count, 8, 8, const_cast<u32*>(in)};
  meet<Operands>(t, line, all_lanes, "stmatrix", mine, &store);
}

}  // namespace podium::ptx
