// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensor maps: which box of a tensor a copy moves and how it lies in shared memory (CUDA Driver API, Tensor
// Map Object Management; PTX ISA 5.5, Tensors). Their 128 bytes are opaque to programs; these are ours.
#pragma once
#include <optional>
#include <string>

#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

// As CUtensorMapDataType numbers them.
enum class TensorType : u8 {
  u8_,
  u16_,
  u32_,
  s32_,
  u64_,
  s64_,
  f16_,
  f32_,
  f64_,
  bf16_,
  f32_ftz,
  tf32_,
  tf32_ftz,
  packed_u4,  // 16 elements in 8 bytes
  padded_u4,  // 16 elements in 8 bytes of global memory, and in 16 bytes of shared memory
  padded_u6   // likewise in 12
};

// As CUtensorMapSwizzle numbers them.
enum class Swizzle : u8 {
  none,
  bytes32,
  bytes64,
  bytes128,
  bytes128_atom32,
  bytes128_atom32_flip8,
  bytes128_atom64
};

// Which bytes a swizzle puts at `offset`: it exchanges 16-byte units, or larger atoms, within its span by the
// number of the 128-byte row.
inline u32 swizzled(u32 offset, Swizzle how) {
  switch (how) {
    case Swizzle::bytes32:
      return offset ^ (offset >> 7 & 1) << 4;
    case Swizzle::bytes64:
      return offset ^ (offset >> 7 & 3) << 4;
    case Swizzle::bytes128:
      return offset ^ (offset >> 7 & 7) << 4;
    case Swizzle::bytes128_atom32:
      return offset ^ (offset >> 7 & 3) << 5;
    case Swizzle::bytes128_atom64:
      return offset ^ (offset >> 7 & 1) << 6;
    default:
      return offset;
  }
}
inline u32 span_of(Swizzle how) {  // bytes
  return how == Swizzle::none ? 0 : how == Swizzle::bytes32 ? 32 : how == Swizzle::bytes64 ? 64 : 128;
}

inline constexpr u32 most_dimensions = 5;

struct alignas(64) TensorMap {
  static constexpr u32 mark = 0x544d4150;
  u32 magic = 0;
  TensorType type{};
  Swizzle swizzle{};
  u8 dimensions = 0;
  bool fill_nan = false;  // outside of the tensor; zero else
  u64 unused = 0;         // CUTLASS clears a bit here, against a mistake of NVIDIA's drivers
  u64 address = 0;
  u64 strides[4] = {};    // bytes, from dimension 1 on
  u32 last[5] = {};       // extent of the tensor - 1, in elements
  u16 box[5] = {};        // elements
  u8 steps[5] = {};       // element strides
  bool replaced = false;  // by a kernel: what the driver would check is checked when it is used
  // Mode im2col: `box` holds channels alone, and a copy moves `pixels` of them. They are those of the space
  // between the corners, which are offsets from the tensor's first and last element in dimensions 1, 2, 3.
  bool im2col = false;
  u16 pixels = 0;
  s16 lower[3] = {}, upper[3] = {};
};

// What an element is made of: one, or 16 where several share bytes.
struct TensorUnit {
  u32 elements, global_bytes, shared_bytes;
};
inline TensorUnit unit_of(TensorType type) {
  switch (type) {
    case TensorType::u8_:
      return {1, 1, 1};
    case TensorType::u16_:
    case TensorType::f16_:
    case TensorType::bf16_:
      return {1, 2, 2};
    case TensorType::u64_:
    case TensorType::s64_:
    case TensorType::f64_:
      return {1, 8, 8};
    case TensorType::packed_u4:
      return {16, 8, 8};
    case TensorType::padded_u4:
      return {16, 8, 16};
    case TensorType::padded_u6:
      return {16, 12, 16};
    default:
      return {1, 4, 4};
  }
}

// Elements that a copy moves along a dimension.
inline u32 moved(const TensorMap& map, u32 dimension) {
  return dimension == 0 ? map.box[0]
                        : (map.box[dimension] + map.steps[dimension] - 1u) / map.steps[dimension];
}
// Rows along dimension 0 that it moves.
inline u32 rows_of(const TensorMap& map) {
  if (map.im2col) return map.pixels;
  u32 rows = 1;
  for (u32 i = 1; i < map.dimensions; ++i) rows *= moved(map, i);
  return rows;
}
// What a copy of the whole box counts at its mbarrier: padding does not count.
inline u32 bytes_of(const TensorMap& map) {
  const TensorUnit unit = unit_of(map.type);
  return map.box[0] / unit.elements * unit.global_bytes * rows_of(map);
}

// What cuTensorMapEncodeTiled was asked for.
struct TiledRequest {
  u32 type, rank;
  u64 address;
  const u64* extents;
  const u64* strides;  // bytes, from dimension 1 on
  const u32* box;
  const u32* steps;
  u32 interleave, swizzle, fill;
};
// What cuTensorMapEncodeIm2col is asked for besides; `box` holds channels, then ones.
struct Im2colRequest {
  const int *lower, *upper;  // corners, rank - 2 numbers each
  u32 pixels;
};
// Fills `map`; a sentence where the driver would refuse.
std::optional<std::string> encode(TensorMap& map, const TiledRequest&);
std::optional<std::string> encode(TensorMap& map, const TiledRequest&, const Im2colRequest&);
// Of one that a kernel changed: a sentence where it fits together no more.
std::optional<std::string> check(const TensorMap& map);

}  // namespace podium::ptx
