// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/wmma.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 all_lanes = 0xffffffff, lanes = 32;
constexpr u32 most_rows = 16, columns = 8;  // of a tile: mma.sync's m and n
constexpr u32 most_sums = 8;                // of a lane

u32 tile_rows(u32 m) { return std::min(m, most_rows); }

struct Place {
  u32 outer, inner;
};

// Of element `e` of those that a lane holds, counted through its registers.
Place place(const Fragment& f, u32 lane, u32 e) {
  const u32 group = lane / 4, in_group = lane % 4;
  if (f.part == Part::sum) {
    const u32 rows = tile_rows(f.outer), each = rows * columns / lanes, tile = e / each, i = e % each;
    const u32 down = f.outer / rows;  // tiles
    return {tile % down * rows + group + 8 * (i / 2), tile / down * columns + 2 * in_group + i % 2};
  }
  const u32 in_register = std::max(4 / f.size, 1u), rows = f.part == Part::a ? tile_rows(f.outer) : columns;
  const u32 each = rows * f.inner / lanes, tile = e / each, r = e % each / in_register, high = rows / 8;
  return {tile * rows + group + 8 * (r % high), (r / high * 4 + in_group) * in_register + e % in_register};
}

u8* pointer(Thread* t, int line, const FragmentPlace& where, u64 at, u32 bytes, u32 align) {
  switch (where.space) {
    case Space::global:
      return global(t, line, where.site, at, bytes, align);
    case Space::shared:
      return shared(t, line, static_cast<u32>(at), bytes, align);
    default:
      return generic(t, line, where.site, at, bytes, align);
  }
}

void touch(Thread* t, int line, const FragmentPlace& where, const u8* at, u32 bytes, Touching how,
           const u8* value) {
  switch (where.space) {
    case Space::global:
      return touch_global(t, line, t->sites[where.site], at, bytes, how, value);
    case Space::shared:
      return touch_shared(t, line, at, bytes, how, value);
    default:
      return touch_any(t, line, t->sites[where.site], at, bytes, how, value);
  }
}

// Meets the other lanes, and calls f(address, offset in the registers, bytes) for each piece of memory that
// is this lane's.
template <class F>
void each_piece(Thread* t, int line, const char* what, const Fragment& f, const FragmentPlace& where, F use) {
  u32 nothing = 0;
  meet<u32>(t, line, all_lanes, what, nothing, [](u32* const*, u32) {});
  // The ISA wants rows aligned to a fragment's bytes (9.7.14.4.2), CUDA's guide to 16, and the first to 32:
  // what either of them allows runs.
  const u32 fragment = f.registers * std::max(f.size, 4u);
  pointer(t, line, where, where.at, f.size, std::min(fragment, 32u));
  if (const u32 aligned = std::min(fragment, 16u); where.stride % aligned != 0)
    launch().fail(&of(t), line,
                  std::string(what) + " with a stride of " + std::to_string(where.stride) +
                      " bytes: expected a multiple of " + std::to_string(aligned) +
                      ", so that every row, or column, is aligned");
  const u32 count = f.outer * f.inner / lanes, together = f.inner_adjacent ? std::max(4 / f.size, 1u) : 1;
  for (u32 e = 0; e < count; e += together) {
    const auto [outer, inner] = place(f, t->lane, e);
    const u64 offset =
        f.inner_adjacent ? outer * where.stride + inner * f.size : inner * where.stride + outer * f.size;
    use(pointer(t, line, where, where.at + offset, f.size * together, f.size * together), e * f.size,
        f.size * together);
  }
}

}  // namespace

void load_fragment(Thread* t, int line, const Fragment& f, const FragmentPlace& where, void* out) {
  u8* const registers = static_cast<u8*>(out);
  each_piece(t, line, "wmma.load", f, where, [&](const u8* from, u32 to, u32 bytes) {
    touch(t, line, where, from, bytes, Touching::reads, nullptr);
    std::memcpy(registers + to, from, bytes);
  });
  const u32 once = f.outer * f.inner / lanes * f.size, all = f.registers * std::max(f.size, 4u);
  for (u32 at = once; at < all; at += once) std::memcpy(registers + at, registers, once);
}

void store_fragment(Thread* t, int line, const Fragment& f, const FragmentPlace& where, const void* in) {
  const u8* const registers = static_cast<const u8*>(in);
  each_piece(t, line, "wmma.store", f, where, [&](u8* to, u32 from, u32 bytes) {
    touch(t, line, where, to, bytes, Touching::writes, registers + from);
    std::memcpy(to, registers + from, bytes);
  });
}

namespace {

// Calls f(tile of A, tile of B, tile of C and D).
template <class F>
void each_tile(u32 m, u32 n, F f) {
  const u32 down = m / tile_rows(m);
  for (u32 tile = 0; tile < down * (n / columns); ++tile) f(tile % down, tile / down, tile);
}

}  // namespace

void multiply_fragments(Thread* t, int line, const Wmma& how, const u32* a, const u32* b, const u32* c,
                        u32* d) {
  const bool narrow = how.c == Element::f16 && how.d == Element::f16;
  const u32 steps = how.operand == Element::tf32 ? 2 : 1;
  const Mma tile{tile_rows(how.m), columns,     how.k / steps,
                 how.operand,      how.operand, narrow ? Element::f16 : Element::f32};
  const u32 row_bytes = tile.k * bytes_of(how.operand), registers_a = tile.m * row_bytes / (4 * lanes),
            registers_b = columns * row_bytes / (4 * lanes),
            registers_d = tile.m * columns / lanes / (narrow ? 2 : 1);
  std::array<u32, most_sums> wide;
  u32* const sums = narrow ? d : wide.data();
  for (u32 i = 0; i < most_sums / (narrow ? 2 : 1); ++i)
    sums[i] = narrow || how.c != Element::f16
                  ? c[i]
                  : bits<u32>(float_of(read<f16>(reinterpret_cast<const u8*>(c) + 2 * i)));
  each_tile(how.m, how.n, [&](u32 row, u32 column, u32 sum) {
    u32* const at = sums + sum * registers_d;
    for (u32 step = 0; step < steps; ++step)
      multiply(t, line, tile, a + (row * steps + step) * registers_a,
               b + (column * steps + step) * registers_b, at, at, "wmma.mma");
  });
  if (narrow) return;
  for (u32 i = 0; i < most_sums; ++i) {
    if (how.d == Element::f16)
      write(reinterpret_cast<u8*>(d) + 2 * i, half_of(float_of(sums[i])));
    else
      d[i] = sums[i];
  }
}

void multiply_integer_fragments(Thread* t, int line, const MmaIntegers& how, u32 n, const u32* a,
                                const u32* b, const u32* c, u32* d) {
  MmaIntegers tile = how;
  tile.m = tile_rows(how.m);
  const u32 registers_a = tile.m * how.k * how.width / 32 / lanes,
            registers_b = columns * how.k * how.width / 32 / lanes, registers_d = tile.m * columns / lanes;
  each_tile(how.m, n, [&](u32 row, u32 column, u32 sum) {
    multiply_integers(t, line, tile, a + row * registers_a, b + column * registers_b, c + sum * registers_d,
                      d + sum * registers_d, "wmma.mma");
  });
}

}  // namespace podium::ptx
