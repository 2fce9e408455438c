// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// tcgen05, as generated kernels call it: PTX ISA 9.7.16. `group`: blocks of .cta_group.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// tensor_memory.cpp: .alloc, .dealloc, .relinquish_alloc_permit (9.7.16.7)
void tensor_alloc(Thread*, int line, u32 group, u32 to, u32 columns);
void tensor_dealloc(Thread*, int line, u32 group, u32 at, u32 columns);
void tensor_relinquish(Thread*, int line, u32 group);

// tensor_access.cpp: .ld, .st, .wait (9.7.16.8)
enum class TensorShape {
  lanes32_bits32,
  lanes16_bits64,
  lanes16_bits128,
  lanes16_bits256,
  lanes16_bits32_twice
};
struct TensorAccess {
  TensorShape shape;
  u32 registers;
  bool halves;  // .pack::16b, .unpack::16b: a register holds the low halves of two columns
  u32 second;   // columns to the second half of lanes16_bits32_twice
};
// Returns a number by which the load is known until it is done.
u32 tensor_load_registers(Thread*, int line, const TensorAccess&, u32 at, u32* out);
void tensor_store_registers(Thread*, int line, const TensorAccess&, u32 at, u32* in);
// .ld.red: of what a thread has loaded the least or the greatest.
struct TensorReduction {
  enum class Type { u32_, s32_, f32_ } type;
  bool least, magnitude, nan;  // .min; .abs, .NaN of f32
};
u32 tensor_reduced(const TensorReduction&, const u32* loaded, u32 count);
void tensor_wait(Thread*, int line, bool store);
// A register is used that this load writes: by then it is done.
void tensor_used(Thread*, u32 load);

// tcgen05_copy.cpp: .cp (9.7.16.9), .commit (9.7.16.12)
struct TensorCopy {
  u32 group, lanes, bytes;  // of a lane
  u32 lane_step;            // between the lanes of .4x256b
  u32 copies, copy_step,
      fold;  // of .warpx2 and .warpx4: to lane + copy * copy_step; lanes from 32 on are `fold` further
  u32 bits;  // of elements that become bytes; 0: none do
};
void tensor_copy_shared(Thread*, int line, const TensorCopy&, u32 to, u64 descriptor);
void tensor_commit(Thread*, int line, u32 group, u32 mbarrier, u32 blocks);

// tcgen05_multiply.cpp: .mma (9.7.16.10)
enum class TensorKind { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };
struct TensorProduct {
  TensorKind kind;
  u32 group;
  bool separate_warps;      // .ws
  bool a_in_tensor_memory;  // else a is a descriptor
  bool sparse;              // .sp
  bool columns_masked;      // of .ws
  u32 scale_vector;         // scale factors of a row
  u32 masks;                // words of disabled_lanes
  s32 scale_d;              // D is divided by 2^scale_d before
};
struct TensorOperands {
  u32 d;
  u64 a, b;
  u32 instruction;  // descriptor
  bool accumulate;
  u32 scale_a = 0, scale_b = 0, metadata = 0;
  const u32* disabled_lanes = nullptr;
  u64 column_mask = 0;
};
void tensor_multiply(Thread*, int line, const TensorProduct&, const TensorOperands&);

}  // namespace podium::ptx
