// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05.ld and .st: a warp's registers and its quarter of tensor memory's lanes. Both happen at once and
// not at tcgen05.wait: compilers use loaded registers before it, where the machine's own tracking makes that
// right, and CUTLASS's attention kernels signal an mbarrier behind a store without it.
#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_memory.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, lanes_of_warp = 32;

struct Spot {
  u32 lane, column;
};

// Where register r of a thread lies (PTX ISA 9.7.16.2.3, figures of the matrix fragments).
Spot spot(TensorShape shape, u32 thread, u32 r, u32 second) {
  switch (shape) {
    case TensorShape::lanes32_bits32:
      return {thread, r};
    case TensorShape::lanes16_bits64:
      return {thread / 4 + 8 * (thread % 2), thread / 2 % 2 + 2 * r};
    case TensorShape::lanes16_bits128:
      return {thread / 4 + 8 * (r % 2), thread % 4 + 4 * (r / 2)};
    case TensorShape::lanes16_bits256:
      return {thread / 4 + 8 * (r / 2 % 2), 2 * (thread % 4) + r % 2 + 8 * (r / 4)};
    case TensorShape::lanes16_bits32_twice:
      return {thread % 16, r + (thread >= 16 ? second : 0)};
  }
  return {};
}

struct Operands {
  GpuThread* thread;
  int line;
  u32 at;
  TensorShape shape;
};

void check(Operands* const* all, u32) {
  const Operands& one = *all[0];
  const u32 lane = one.at >> lane_shift, quarter = one.thread->warp->id % 4;
  for (u32 i = 1; i < lanes_of_warp; ++i)
    if (all[i]->at != one.at)
      launch().fail(all[i]->thread, one.line,
                    fmt::format("an address {:#x} of tensor memory, while lane 0 of the warp names {:#x}",
                                all[i]->at, one.at));
  if (lane / lanes_of_warp != quarter)
    launch().fail(one.thread, one.line,
                  fmt::format("warp {} reaches for lane {} of tensor memory; it may access lanes {} to {}",
                              one.thread->warp->id, lane, quarter * lanes_of_warp,
                              quarter * lanes_of_warp + lanes_of_warp - 1));
  const u32 aligned = one.shape == TensorShape::lanes32_bits32 ? lanes_of_warp : lanes_of_warp / 2;
  if (lane % aligned != 0)
    launch().fail(one.thread, one.line,
                  fmt::format("lane {} of tensor memory, which is no multiple of {}", lane, aligned));
}

// Whether a thread's registers lie side by side.
bool is_row(const TensorAccess& how) { return how.shape == TensorShape::lanes32_bits32 && !how.halves; }

// Calls f(lane, column, register, shift): with halves, twice for a register.
template <class F>
void each_word(const Thread* t, const TensorAccess& how, u32 at, F f) {
  for (u32 r = 0; r < how.registers; ++r) {
    const u32 parts = how.halves ? 2 : 1;
    for (u32 part = 0; part < parts; ++part) {
      // Packed, each column that a shape names stands for two that lie side by side.
      const Spot s = spot(how.shape, t->lane, r, how.second);
      f((at >> lane_shift) + s.lane, (at & column_mask) + s.column * parts + part, r, 16 * part);
    }
  }
}

}  // namespace

void tensor_load_registers(Thread* t, int line, const TensorAccess& how, u32 at, u32* out) {
  GpuThread& thread = of(t);
  Operands mine{&thread, line, at, how.shape};
  meet<Operands>(t, line, all_lanes, "tcgen05.ld", mine, &check);
  if (is_row(how)) {
    const u32* const words = read_tensor_row(thread, line, *thread.block, (at >> lane_shift) + t->lane,
                                             at & column_mask, how.registers);
    std::copy(words, words + how.registers, out);
    return;
  }
  each_word(t, how, at, [&](u32 lane, u32 column, u32 r, u32 shift) {
    const u32 word = read_tensor(thread, line, *thread.block, lane, column);
    out[r] = how.halves ? (shift == 0 ? word & 0xffff : out[r] | word << shift) : word;
  });
}

void tensor_store_registers(Thread* t, int line, const TensorAccess& how, u32 at, const u32* in) {
  GpuThread& thread = of(t);
  Operands mine{&thread, line, at, how.shape};
  meet<Operands>(t, line, all_lanes, "tcgen05.st", mine, &check);
  if (is_row(how)) {
    std::copy(in, in + how.registers,
              written_tensor_row(thread, line, *thread.block, (at >> lane_shift) + t->lane, at & column_mask,
                                 how.registers));
    return;
  }
  each_word(t, how, at, [&](u32 lane, u32 column, u32 r, u32 shift) {
    write_tensor(thread, line, *thread.block, lane, column, how.halves ? in[r] >> shift & 0xffff : in[r]);
  });
}

}  // namespace podium::ptx
