// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies of a tensor's boxes, reductions by bulk copies, and asynchronous stores, as generated kernels call
// them.
#pragma once
#include "emulators/nvidia/device/tensor_map.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

enum class Reduction { none, add, min, max, inc, dec, bit_and, bit_or, bit_xor };

// tensor_copy.cpp: cp.async.bulk.tensor (PTX ISA 9.7.9.27.1.2), cp.reduce.async.bulk.tensor (.3)
struct TensorLoad {
  u32 dimensions;
  bool gather = false;           // .tile::gather4: coordinates are a column and four rows
  u32 blocks = 0;                // of the cluster, a bit each; 0: that of the destination
  bool pair = false;             // .cta_group::2: the mbarrier may be that of the other block of the pair
  const u16* offsets = nullptr;  // .im2col: of the pixels in dimensions 1, 2, 3
};
void tensor_load(Thread*, int line, const TensorLoad&, u64 map, const s32* coordinates, u32 to, u32 mbarrier);
struct TensorStore {
  u32 dimensions;
  bool scatter = false;  // .tile::scatter4
  Reduction reduction = Reduction::none;
  bool im2col = false;  // .im2col_no_offs
};
void tensor_store(Thread*, int line, const TensorStore&, u64 map, const s32* coordinates, u32 from);

// tensor_map_replace.cpp: `at`, `to` and `from` are the 128 bytes of a tensor map
enum class TensorField {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode
};
void replace_in_tensor_map(Thread*, int line, u8* at, TensorField, u32 dimension, u64 value);
void copy_tensor_map(Thread*, int line, u8* to, const u8* from);

// bulk_reduce.cpp: cp.reduce.async.bulk (PTX ISA 9.7.9.25.4.2); `type` as in a tensor map
void reduce_element(u8* to, const u8* from, TensorType type, Reduction how);
void bulk_reduce_global(Thread*, int line, u64 to, u32 from, u32 bytes, TensorType type, Reduction how);
void bulk_reduce_shared(Thread*, int line, u32 to, u32 from, u32 bytes, u32 mbarrier, TensorType type,
                        Reduction how);
// st.async, red.async (PTX ISA 9.7.9.12, 9.7.13.7): `count` elements from registers to a block of the
// cluster. `how` is none for a store.
void async_store(Thread*, int line, u32 to, const u8* values, u32 count, u32 mbarrier, TensorType type,
                 Reduction how);

}  // namespace podium::ptx
