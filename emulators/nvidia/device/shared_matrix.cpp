// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The layouts are made of core matrices: eight rows of 16 bytes, one behind another without a swizzle; with
// one, 2, 4 or 8 core matrices lie side by side and their units are exchanged.
#include "emulators/nvidia/device/shared_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "emulators/nvidia/device/elements.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/tensor_map.hpp"

namespace podium::ptx {
namespace {

constexpr u32 unit = 16, core_rows = 8;
constexpr u32 rows_ahead = 4;  // what is checked of them, is fetched

struct Fields {
  u32 start, leading, stride;  // bytes
  Swizzle swizzle;
  u32 width;  // units side by side
};

Fields fields_of(Thread* t, int line, u64 descriptor) {
  const auto refuse = [&](const std::string& what) {
    launch().fail(&of(t), line, fmt::format("the matrix descriptor {:#x} {}", descriptor, what));
  };
  const auto bytes = [&](int shift) { return static_cast<u32>(descriptor >> shift & 0x3fff) << 4; };
  Fields f{
      .start = bytes(0), .leading = bytes(16), .stride = bytes(32), .swizzle = Swizzle::none, .width = 1};
  if ((descriptor >> 49 & 7) != 0) refuse("has a base offset, which the emulator does not know");
  if ((descriptor >> 52 & 1) != 0)
    refuse("has an absolute leading dimension, which the emulator does not know");
  switch (descriptor >> 61) {
    case 0:
      break;
    case 1:
      f.swizzle = Swizzle::bytes128_atom32;
      f.width = 8;
      break;
    case 2:
      f.swizzle = Swizzle::bytes128;
      f.width = 8;
      break;
    case 4:
      f.swizzle = Swizzle::bytes64;
      f.width = 4;
      break;
    case 6:
      f.swizzle = Swizzle::bytes32;
      f.width = 2;
      break;
    default:
      refuse(fmt::format("has the swizzle {}, which there is not", descriptor >> 61));
  }
  return f;
}

}  // namespace

namespace {

template <Element type, u32 count>
void unpack_all(const u8* from, f32* elements) {
  for (u32 i = 0; i < count; ++i) elements[i] = element(from + i * (unit / count), type);
}

}  // namespace

u32 elements_in_unit(const MatrixType& type) {
  if (type.storage == Storage::packed) return 2 * unit;
  return type.storage == Storage::padded ? unit : unit / bytes_of(type.element);
}

void unpack(const u8* from, const MatrixType& type, f32* elements) {
  const u32 count = elements_in_unit(type);
  if (type.element == Element::bf16) return unpack_all<Element::bf16, unit / 2>(from, elements);
  if (type.element == Element::f16) return unpack_all<Element::f16, unit / 2>(from, elements);
  if (type.storage == Storage::plain) {
    for (u32 i = 0; i < count; ++i) elements[i] = element(from + i * bytes_of(type.element), type.element);
    return;
  }
  const Format format = type.element == Element::e2m1 ? e2m1 : type.element == Element::e2m3 ? e2m3 : e3m2;
  const u32 width = type.element == Element::e2m1 ? 4 : 6;
  for (u32 i = 0; i < count; ++i) {
    u32 code = 0;
    for (u32 bit = 0; bit < width; ++bit) {
      const u32 at = i * width + bit;
      code |= (from[at / 8] >> (at % 8) & 1u) << bit;
    }
    elements[i] = widened(code, format);
  }
}

void each_unit(const ProxyAccess& access, const SharedMatrix& m,
               const std::function<void(u32, u32, const u8*)>& f) {
  GpuThread* const t = access.thread();
  const int line = access.line();
  const Fields fields = fields_of(t, line, m.descriptor);
  const u32 count = elements_in_unit(m.type), width = fields.width;
  const bool plain = fields.swizzle == Swizzle::none;
  const SharedCells& cells = t->block->cluster->cells;
  const auto address_of = [&](u32 offset) {
    return m.rank << rank_shift | (swizzled(offset, fields.swizzle) & offset_mask);
  };
  const auto at = [&](u32 offset) {
    const u32 address = address_of(offset);
    const u8* const place = shared(t, line, address, unit, unit);
    access.check(address, unit);
    return place;
  };
  if (!m.rows_contiguous) {
    if (fields.swizzle == Swizzle::bytes128_atom32)
      launch().fail(t, line, "a swizzle with atoms of 32 bytes for a matrix whose k is contiguous");
    const auto offset = [&](u32 row, u32 k) {
      return fields.start + row % core_rows * width * unit + row / core_rows * fields.stride +
             k / count * (plain ? fields.leading : unit);
    };
    for (u32 row = 0; row < m.rows; ++row)
      for (u32 k = 0; k < m.k; k += count) {
        if (row + rows_ahead < m.rows) cells.fetch(address_of(offset(row + rows_ahead, k)));
        f(row, k, at(offset(row, k)));
      }
    return;
  }
  const u32 together = fields.swizzle == Swizzle::bytes128_atom32 ? 4 : core_rows;  // k of a core matrix
  for (u32 k = 0; k < m.k; ++k)
    for (u32 row = 0; row < m.rows; row += count) {
      const u32 column = row / count;
      f(row, k,
        at(fields.start + k % together * width * unit +
           (plain ? column * fields.stride + k / together * fields.leading
                  : column % width * unit + column / width * fields.leading + k / together * fields.stride)));
    }
}

void read_matrix(const ProxyAccess& access, const SharedMatrix& m, MatrixOperand& to, u32 first) {
  const u32 count = elements_in_unit(m.type);
  std::array<f32, 2 * unit> elements{};
  each_unit(access, m, [&](u32 row, u32 k, const u8* bytes) {
    unpack(bytes, m.type, elements.data());
    if (!m.rows_contiguous)
      to.set_row(first + row, k, elements.data(), count);
    else
      to.set_column(first + row, k, elements.data(), std::min(count, m.rows - row));
  });
}

}  // namespace podium::ptx
