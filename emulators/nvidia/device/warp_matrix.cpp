// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// 8x8 matrices of 16-bit elements between shared memory and a warp's registers: lane l holds row l / 4,
// columns 2 (l % 4) and the next; the rows' addresses come from eight lanes for each matrix.
#include <cstring>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff;
struct Tile {
  u16 at[8][8];
  u32 of_lane(u32 lane, bool transposed) const {
    const u32 row = lane / 4, column = 2 * (lane % 4);
    return transposed ? at[column][row] | static_cast<u32>(at[column + 1][row]) << 16
                      : at[row][column] | static_cast<u32>(at[row][column + 1]) << 16;
  }
  void set(u32 lane, bool transposed, u32 value) {
    const u32 row = lane / 4, column = 2 * (lane % 4);
    (transposed ? at[column][row] : at[row][column]) = static_cast<u16>(value);
    (transposed ? at[column + 1][row] : at[row][column + 1]) = static_cast<u16>(value >> 16);
  }
};

struct Operands {
  Thread* thread;
  int line;
  u32 at, count;
  bool transposed;
  u32* registers;
};

u8* row_of(Operands* const* all, u32 matrix, u32 row, Touching how) {
  const Operands& lane = *all[8 * matrix + row];
  u8* const at = shared(lane.thread, lane.line, lane.at, 16, 16);
  touch_shared(lane.thread, lane.line, at, 16, how);
  return at;
}

}  // namespace

void load_matrix(Thread* t, int line, u32 at, u32 count, bool transposed, u32* out) {
  Operands mine{t, line, at, count, transposed, out};
  meet<Operands>(t, line, all_lanes, "ldmatrix", mine, [](Operands* const* all, u32) {
    for (u32 matrix = 0; matrix < all[0]->count; ++matrix) {
      Tile tile;
      for (u32 row = 0; row < 8; ++row)
        std::memcpy(tile.at[row], row_of(all, matrix, row, Touching::reads), 16);
      for (u32 lane = 0; lane < 32; ++lane)
        all[lane]->registers[matrix] = tile.of_lane(lane, all[lane]->transposed);
    }
  });
}

void store_matrix(Thread* t, int line, u32 at, u32 count, bool transposed, const u32* in) {
  Operands mine{t, line, at, count, transposed, const_cast<u32*>(in)};
  meet<Operands>(t, line, all_lanes, "stmatrix", mine, [](Operands* const* all, u32) {
    for (u32 matrix = 0; matrix < all[0]->count; ++matrix) {
      Tile tile;
      for (u32 lane = 0; lane < 32; ++lane)
        tile.set(lane, all[lane]->transposed, all[lane]->registers[matrix]);
      for (u32 row = 0; row < 8; ++row)
        std::memcpy(row_of(all, matrix, row, Touching::writes), tile.at[row], 16);
    }
  });
}

u32 move_matrix(Thread* t, int line, u32 in) {
  u32 value = in;
  meet<u32>(t, line, all_lanes, "movmatrix", value, [](u32* const* all, u32) {
    Tile tile;
    for (u32 lane = 0; lane < 32; ++lane) tile.set(lane, false, *all[lane]);
    for (u32 lane = 0; lane < 32; ++lane) *all[lane] = tile.of_lane(lane, true);
  });
  return value;
}

}  // namespace podium::ptx
