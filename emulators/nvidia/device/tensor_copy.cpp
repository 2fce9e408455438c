// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Boxes of tensors between global and shared memory (TMA). What an mbarrier counts happens when no thread can
// go on without it; what a group counts, when the group is waited for.
#include "emulators/nvidia/device/tensor_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "emulators/nvidia/device/bulk_groups.hpp"
#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/narrow.hpp"
#include "emulators/nvidia/device/proxies.hpp"
#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_box.hpp"

namespace podium::ptx {
namespace {

constexpr u32 chunk = 16;       // bytes that a swizzle moves together
constexpr u32 alignment = 128;  // of a box in shared memory

TensorMap map_at(Thread* t, int line, u64 at, u32 dimensions, bool im2col) {
  Site nowhere;
  const u8* const bytes = find_generic(t, line, nowhere, at, sizeof(TensorMap), 1);
  const bool of_kernel = is_parameter(t, at);
  const u64 offset = of_kernel ? at - reinterpret_cast<u64>(t->parameters) : at;
  if (!of_kernel && !is_shared(t, at) && !is_local(t, at))
    leave_footprint(of(t), line, at, sizeof(TensorMap), false);
  TensorMap map;
  std::memcpy(static_cast<void*>(&map), bytes, sizeof map);
  if (offset % alignof(TensorMap) != 0)
    launch().fail(&of(t), line, fmt::format("a tensor map at {:#x}, which is no multiple of 64", offset));
  if (map.magic != TensorMap::mark)
    launch().fail(
        &of(t), line,
        fmt::format("there is no tensor map at {:#x}: expected what cuTensorMapEncodeTiled made", at));
  if (map.replaced)
    if (const auto problem = check(map))
      launch().fail(&of(t), line, "a tensor map that tensormap.replace changed: " + *problem);
  if (map.dimensions != dimensions)
    launch().fail(
        &of(t), line,
        fmt::format("a tensor map of {} dimensions, used as one of {}", +map.dimensions, dimensions));
  if (map.im2col != im2col)
    launch().fail(&of(t), line,
                  im2col ? "a copy in mode im2col with a tensor map that cuTensorMapEncodeTiled made"
                         : "a copy of a tile with a tensor map that cuTensorMapEncodeIm2col made");
  return map;
}

u32 row_bytes(const TensorMap& map) {
  const TensorUnit unit = unit_of(map.type);
  return map.box[0] / unit.elements * unit.shared_bytes;
}
// A row narrower than the swizzle's span takes the whole span (seen on an H200).
u32 pitch_of(const TensorMap& map) { return std::max(row_bytes(map), span_of(map.swizzle)); }

// Elements [first, last) of a row that lie in the tensor.
struct Inside {
  s64 first, last;
};
Inside inside(const TensorMap& map, s32 begin) {
  return {std::max<s64>(begin, 0), std::min<s64>(static_cast<s64>(begin) + map.box[0], s64{map.last[0]} + 1)};
}

// Every byte of global memory that the box touches lies in one allocation.
void check_global(Thread* t, int line, const TensorMap& map, const TensorBox& box, bool write) {
  const TensorUnit unit = unit_of(map.type);
  const Inside in = inside(map, box.begin);
  if (in.first >= in.last) return;
  u64 low = ~u64{0}, high = 0;
  for (const auto& row : box.rows)
    if (row) {
      low = std::min(low, *row + static_cast<u64>(in.first) / unit.elements * unit.global_bytes);
      high = std::max(high, *row + static_cast<u64>(in.last) / unit.elements * unit.global_bytes);
    }
  if (low >= high) return;
  Site nowhere;
  find_global(t, line, nowhere, low, static_cast<u32>(high - low), 1);
  const u64 first = static_cast<u64>(in.first) / unit.elements * unit.global_bytes;
  const u64 last = (static_cast<u64>(in.last) + unit.elements - 1) / unit.elements * unit.global_bytes;
  for (const auto& row : box.rows) {
    if (!row) continue;
    leave_footprint(of(t), line, *row + first, last - first, write);
    if (write)
      write_global_by_copy(of(t), nowhere, *row + first, last - first);
    else
      read_global_by_copy(of(t), line, nowhere, *row + first, last - first);
  }
}

u32 check_shared(Thread* t, int line, const TensorMap& map, u32 at, u32 boxes, std::optional<Touching> how) {
  const u32 bytes = rows_of(map) * boxes * pitch_of(map);
  if (at % alignment != 0)
    launch().fail(
        &of(t), line,
        fmt::format("a box of a tensor at shared address {:#x}, which is no multiple of {}", at, alignment));
  const u8* const box = shared(t, line, at, bytes, chunk);
  if (how) touch_shared(t, line, box, bytes, *how);
  return bytes;
}

// Calls f(shared address, global address or 0 outside of the tensor, count) for each unit of the box; once
// for those of a chunk that lie side by side in both.
template <class F>
void each_run(const TensorMap& map, const TensorBox& box, u32 to, F f) {
  const TensorUnit unit = unit_of(map.type);
  const u32 bytes = row_bytes(map), pitch = pitch_of(map);
  const Inside in = inside(map, box.begin);
  const s64 to_last = static_cast<s64>(chunk / unit.shared_bytes - 1) * unit.elements;  // of a chunk
  const bool alike = unit.shared_bytes == unit.global_bytes;
  for (u32 row = 0; row < box.rows.size(); ++row) {
    const auto begin = box.rows[row];
    for (u32 b = 0, count; b < bytes; b += count * unit.shared_bytes) {
      const s64 x = box.begin + static_cast<s64>(b / unit.shared_bytes) * unit.elements;
      const u32 place = to + row * pitch + b;
      const u32 address = (swizzled(place & ~(chunk - 1), map.swizzle)) | (place & (chunk - 1));
      const bool known = begin && x >= in.first && x < in.last;
      const bool whole = known && alike && place % chunk == 0 && b + chunk <= bytes && x + to_last < in.last;
      count = whole ? chunk / unit.shared_bytes : 1;
      f(address, known ? *begin + static_cast<u64>(x) / unit.elements * unit.global_bytes : 0, count);
    }
  }
}

void load_box(Thread* t, const TensorMap& map, const TensorBox& box, u32 to) {
  const TensorUnit unit = unit_of(map.type);
  const bool rounds = map.type == TensorType::tf32_ || map.type == TensorType::tf32_ftz;
  each_run(map, box, to, [&](u32 place, u64 from, u32 count) {
    u8* const target = t->shared + place;
    const u32 bytes = count * unit.global_bytes;
    if (from != 0) {
      if (bytes == chunk)  // as a whole chunk has, and is copied by one instruction
        std::memcpy(target, reinterpret_cast<const u8*>(from), chunk);
      else
        std::memcpy(target, reinterpret_cast<const u8*>(from), bytes);
      for (u32 i = 0; rounds && i < bytes; i += sizeof(f32))
        write(target + i, tf32_of(read<f32>(target + i), Rounding::nearest));
    } else {
      for (u32 i = 0; i < unit.global_bytes; ++i)
        target[i] = map.fill_nan ? static_cast<u8>(outside_nan >> i % 2 * 8) : 0;
    }
  });
}

void store_box(Thread* t, const TensorMap& map, const TensorBox& box, u32 from, Reduction how) {
  const TensorUnit unit = unit_of(map.type);
  each_run(map, box, from, [&](u32 place, u64 to, u32 count) {
    if (to == 0) return;
    if (how == Reduction::none) {
      std::memcpy(reinterpret_cast<u8*>(to), t->shared + place, count * unit.global_bytes);
      return;
    }
    for (u32 i = 0; i < count; ++i)
      reduce_element(reinterpret_cast<u8*>(to + i * unit.global_bytes),
                     t->shared + place + i * unit.shared_bytes, map.type, how);
  });
}

// The boxes that one instruction moves: one, or the four rows of gather4 and scatter4.
std::vector<TensorBox> boxes_of(Thread* t, int line, const TensorMap& map, bool rows,
                                const s32* coordinates) {
  if (!rows) return {tiled_box(map, coordinates)};
  if (map.box[1] != 1)
    launch().fail(&of(t), line,
                  fmt::format("gather4 or scatter4 with a box of {} rows; expected 1", map.box[1]));
  std::vector<TensorBox> boxes;
  for (u32 i = 0; i < 4; ++i) {
    const s32 at[] = {coordinates[0], coordinates[1 + i]};
    boxes.push_back(tiled_box(map, at));
  }
  return boxes;
}

// Of the pixels that begin at `coordinates`, which lie between the corners.
std::vector<TensorBox> pixels_of(Thread* t, int line, const TensorMap& map, const s32* coordinates,
                                 const u16* offsets) {
  const u32 spatial = map.dimensions - 2u;
  constexpr u16 none[3] = {};
  if (!offsets) offsets = none;
  const u32 most_offset = spatial == 1 ? 1u << 16 : spatial == 2 ? 1u << 8 : 1u << 5;
  for (u32 i = 0; i < spatial; ++i) {
    const s64 last = static_cast<s64>(map.last[i + 1]) + map.upper[i];
    if (coordinates[i + 1] < map.lower[i] || coordinates[i + 1] > last)
      launch().fail(
          &of(t), line,
          fmt::format("a copy in mode im2col whose coordinate {} is {}; the map's corners leave {} to {}",
                      i + 1, coordinates[i + 1], map.lower[i], last));
    if (offsets[i] >= most_offset)
      launch().fail(
          &of(t), line,
          fmt::format("a copy in mode im2col whose offset {} is {}; with {} dimensions expected 0 to {}", i,
                      offsets[i], +map.dimensions, most_offset - 1));
  }
  return {im2col_box(map, coordinates, offsets)};
}

void check_first(Thread* t, int line, const TensorMap& map, s32 coordinate) {
  const TensorUnit unit = unit_of(map.type);
  if (static_cast<s64>(coordinate) * unit.global_bytes / unit.elements % chunk != 0)
    launch().fail(
        &of(t), line,
        fmt::format("the first coordinate {} of a tensor's box is no multiple of 16 bytes", coordinate));
}

// A store begins at no negative coordinate (CUDA's programming guide says so of tiles), and takes no tensor
// map with such a corner: to an H200 either is an illegal instruction.
void check_corner(Thread* t, int line, const TensorMap& map, const s32* coordinates) {
  if (map.im2col)
    for (u32 i = 0; i + 2 < map.dimensions; ++i)
      if (map.lower[i] < 0)
        launch().fail(
            &of(t), line,
            fmt::format("a store in mode im2col with a tensor map whose pixelBoxLowerCorner[{}] is {}: "
                        "only loads take negative ones",
                        i, map.lower[i]));
  for (u32 i = 0; i < map.dimensions; ++i)
    if (coordinates[i] < 0)
      launch().fail(
          &of(t), line,
          fmt::format(
              "a store of a tensor's box whose coordinate {} is {}: only loads begin at a negative one", i,
              coordinates[i]));
}

}  // namespace

void tensor_load(Thread* t, int line, const TensorLoad& how, u64 map_address, const s32* coordinates, u32 to,
                 u32 mbarrier) {
  const TensorMap map = map_at(t, line, map_address, how.dimensions, how.offsets != nullptr);
  const std::vector<TensorBox> boxes = how.offsets ? pixels_of(t, line, map, coordinates, how.offsets)
                                                   : boxes_of(t, line, map, how.gather, coordinates);
  const u32 blocks = how.blocks;
  const bool pair = how.pair;
  check_first(t, line, map, coordinates[0]);
  for (const TensorBox& box : boxes) check_global(t, line, map, box, false);
  const u32 bytes = check_shared(t, line, map, to, static_cast<u32>(boxes.size()),
                                 is_receiver(t, blocks) ? std::optional(Touching::will_copy) : std::nullopt);
  if (is_receiver(t, blocks) || pair) mbarrier_check(t, line, mbarrier);
  CopyOrder& copies = of(t).block->cluster->copies;
  const auto each_block = [=](auto f) {
    if (blocks == 0) return f(to, mbarrier);
    each_lane(blocks, [&](u32 rank) {
      // Of a pair, the block whose number is even as the barrier's or odd as it.
      const u32 at = pair ? (rank & ~1u) | (mbarrier >> rank_shift & 1) : rank;
      f((to & offset_mask) | rank << rank_shift, (mbarrier & offset_mask) | at << rank_shift);
    });
  };
  each_block([&](u32 target, u32 barrier) { copies.begins(of(t), line, target, bytes, barrier); });
  launch().later(*of(t).block->cluster, [=, &copies] {
    each_block([&](u32 target, u32 barrier) {
      shared(t, line, target, bytes, chunk);
      for (u32 i = 0; i < boxes.size(); ++i)
        load_box(t, map, boxes[i], target + i * rows_of(map) * pitch_of(map));
      copies.ends(of(t), line, target, bytes, barrier);
      mbarrier_complete(t, line, barrier, static_cast<s64>(boxes.size()) * bytes_of(map));
    });
  });
}

void tensor_store(Thread* t, int line, const TensorStore& how, u64 map_address, const s32* coordinates,
                  u32 from) {
  const TensorMap map = map_at(t, line, map_address, how.dimensions, how.im2col);
  const std::vector<TensorBox> boxes = how.im2col ? pixels_of(t, line, map, coordinates, nullptr)
                                                  : boxes_of(t, line, map, how.scatter, coordinates);
  const Reduction reduction = how.reduction;
  check_first(t, line, map, coordinates[0]);
  if (!how.scatter) check_corner(t, line, map, coordinates);
  for (const TensorBox& box : boxes) check_global(t, line, map, box, true);
  const u32 bytes = check_shared(t, line, map, from, static_cast<u32>(boxes.size()), Touching::reads_by_copy);
  in_a_group(t, line, from, bytes, [=] {
    for (u32 i = 0; i < boxes.size(); ++i)
      store_box(t, map, boxes[i], from + i * rows_of(map) * pitch_of(map), reduction);
  });
}

}  // namespace podium::ptx
