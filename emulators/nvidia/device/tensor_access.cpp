// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05.ld and .st: a warp's registers and its quarter of tensor memory's lanes. Values move at once, since
// a register may be used before tcgen05.wait::ld (PTX ISA 9.7.16.6.4.5); who relies on a wait that is missing
// is told by TensorOrder.
#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/floating.hpp"
#include "emulators/nvidia/device/tcgen05.hpp"
#include "emulators/nvidia/device/tensor_memory.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, lanes_of_warp = 32;

struct Spot {
  u32 lane, column;
};

// Where register r of a thread lies (PTX ISA 9.7.16.2.3, figures of the matrix fragments), but for the
// columns to the second half of a shape.
Spot spot(TensorShape shape, u32 thread, u32 r) {
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
      return {thread % 16, r};
  }
  return {};
}

struct Operands {
  GpuThread* thread;
  int line;
  u32 at;
  const TensorAccess* how;
  u32* registers;  // read by a store
  u32 serial = 0;  // of a load
};

// The first of the warp's lanes at which an access begins: a device takes no notice of which warp's an
// address names (deepseek-ai/DeepGEMM, deep_gemm/include/deep_gemm/impls/sm100_*.cuh, where epilogues say so
// and rely on it); the ISA grants a warp its own quarter and leaves others undefined.
u32 first_lane(const Operands& mine) {
  return mine.thread->warp->id % 4 * lanes_of_warp + (mine.at >> lane_shift) % lanes_of_warp;
}

void check(const Operands* const* all, u32 lanes) {
  const Operands& one = *all[__builtin_ctz(lanes)];
  const u32 lane = one.at >> lane_shift;
  each_lane(lanes, [&](u32 i) {
    if (all[i]->at != one.at)
      launch().fail(all[i]->thread, one.line,
                    fmt::format("an address {:#x} of tensor memory, while lane {} of the warp names {:#x}",
                                all[i]->at, one.thread->lane, one.at));
  });
  if (lane != first_lane(one) && !launch().noted(Note::lanes))
    launch().note(
        Note::lanes, *one.thread, one.line,
        fmt::format("warp {} names lane {} of tensor memory and reaches lane {}, as on a device; the "
                    "PTX ISA leaves undefined what lies outside of the warp's own 32",
                    one.thread->warp->id, lane, first_lane(one)));
  const u32 aligned = one.how->shape == TensorShape::lanes32_bits32 ? lanes_of_warp : lanes_of_warp / 2;
  if (lane % aligned != 0)
    launch().fail(one.thread, one.line,
                  fmt::format("lane {} of tensor memory, which is no multiple of {}", lane, aligned));
}

// Whether a thread's registers lie side by side, and where then.
u32 lane_of(const Operands& mine) { return first_lane(mine) + mine.thread->lane; }
u32 column_of(const Operands& mine) { return mine.at & column_mask; }
bool is_row(const TensorAccess& how) { return how.shape == TensorShape::lanes32_bits32 && !how.halves; }

// Calls f(lane, column, register, shift): with halves, twice for a register.
template <class F>
void each_word(const Operands& mine, F f) {
  const TensorAccess& how = *mine.how;
  const bool second = how.shape == TensorShape::lanes16_bits32_twice && mine.thread->lane >= 16;
  const u32 first = column_of(mine) + (second ? how.second : 0), parts = how.halves ? 2 : 1;
  for (u32 r = 0; r < how.registers; ++r) {
    const Spot s = spot(how.shape, mine.thread->lane, r);
    // Packed, each column that a shape names stands for two that lie side by side.
    for (u32 part = 0; part < parts; ++part)
      f(first_lane(mine) + s.lane, first + s.column * parts + part, r, 16 * part);
  }
}

// Beside the words that a thread reads or stores, that this access did.
void mark(TensorOrder& order, u32 access, const Operands& mine) {
  if (is_row(*mine.how))
    return order.add(access, tensor_word(lane_of(mine), column_of(mine)), mine.how->registers);
  each_word(mine, [&](u32 lane, u32 column, u32, u32) { order.add(access, tensor_word(lane, column), 1); });
}

void load(Operands* const* all, u32 lanes) {
  check(all, lanes);
  const Operands& one = *all[__builtin_ctz(lanes)];
  Block& block = *one.thread->block;
  TensorOrder& order = tensor_memory(block).order;
  const TensorIssue issue(*one.thread, one.line, "tcgen05.ld", true);
  const u32 access = order.begin(all, lanes, one.line, false);
  each_lane(lanes, [&](u32 i) {
    Operands& mine = *all[i];
    mine.serial = order.serial(access);
    if (is_row(*mine.how)) {
      const u32 count = mine.how->registers;
      const u32* const words = read_tensor_row(issue, block, lane_of(mine), column_of(mine), count);
      std::copy(words, words + count, mine.registers);
    } else {
      each_word(mine, [&](u32 lane, u32 column, u32 r, u32 shift) {
        const u32 word = read_tensor(issue, block, lane, column);
        u32& out = mine.registers[r];
        out = !mine.how->halves ? word : shift == 0 ? word & 0xffff : out | word << shift;
      });
    }
    mark(order, access, mine);
  });
}

void store(Operands* const* all, u32 lanes) {
  check(all, lanes);
  const Operands& one = *all[__builtin_ctz(lanes)];
  Block& block = *one.thread->block;
  TensorOrder& order = tensor_memory(block).order;
  const TensorIssue issue(*one.thread, one.line, "tcgen05.st", true);
  const u32 access = order.begin(all, lanes, one.line, true);
  each_lane(lanes, [&](u32 i) {
    const Operands& mine = *all[i];
    if (is_row(*mine.how)) {
      const u32 count = mine.how->registers;
      std::copy(mine.registers, mine.registers + count,
                written_tensor_row(issue, block, lane_of(mine), column_of(mine), count));
    } else {
      each_word(mine, [&](u32 lane, u32 column, u32 r, u32 shift) {
        const u32 in = mine.registers[r];
        write_tensor(issue, block, lane, column, mine.how->halves ? in >> shift & 0xffff : in);
      });
    }
    mark(order, access, mine);
  });
}

}  // namespace

// As min and max do it, one after the other from the first column on.
u32 tensor_reduced(const TensorReduction& how, const u32* loaded, u32 count) {
  const auto over = [&](auto of, auto both) {
    auto result = of(loaded[0]);
    for (u32 i = 1; i < count; ++i) result = both(result, of(loaded[i]));
    return bits<u32>(result);
  };
  const auto chosen = [&](auto of) {
    return over(of, [&](auto a, auto b) { return (b < a) == how.least ? b : a; });
  };
  if (how.type == TensorReduction::Type::s32_) return chosen([](u32 word) { return static_cast<s32>(word); });
  if (how.type == TensorReduction::Type::u32_) return chosen([](u32 word) { return word; });
  const auto number = [&](u32 word) { return how.magnitude ? abs(float_of(word)) : float_of(word); };
  return over(number, [&](f32 a, f32 b) {
    if (how.nan) return how.least ? min_nan(a, b) : max_nan(a, b);
    return how.least ? min(a, b) : max(a, b);
  });
}

u32 tensor_load_registers(Thread* t, int line, const TensorAccess& how, u32 at, u32* out) {
  Operands mine{&of(t), line, at, &how, out};
  meet<Operands>(t, line, all_lanes, "tcgen05.ld", mine, &load);
  return mine.serial;
}

void tensor_store_registers(Thread* t, int line, const TensorAccess& how, u32 at, u32* in) {
  Operands mine{&of(t), line, at, &how, in};
  meet<Operands>(t, line, all_lanes, "tcgen05.st", mine, &store);
}

void tensor_wait(Thread* t, int line, bool store) {
  struct Wait {
    GpuThread* thread;
    bool store;
  } mine{&of(t), store};
  meet<Wait>(t, line, all_lanes, store ? "tcgen05.wait::st" : "tcgen05.wait::ld", mine,
             [](Wait* const* all, u32 lanes) {
               each_lane(lanes, [&](u32 lane) {
                 GpuThread& thread = *all[lane]->thread;
                 tensor_memory(*thread.block).order.wait(thread, all[lane]->store);
               });
             });
}

void tensor_used(Thread* t, u32 load) {
  GpuThread& thread = of(t);
  tensor_memory(*thread.block).order.used(thread, load);
}

}  // namespace podium::ptx
