// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sp of m16n8 (PTX ISA 9.7.14.6), as generated kernels call it: of all types, with block scaling or
// without.
#pragma once
#include "emulators/nvidia/device/scaled_mma.hpp"
#include "emulators/nvidia/device/sparsity.hpp"

namespace podium::ptx {

struct SparseMma {
  Metadata metadata;
  Element a, b, d;
  u32 width;       // bits of an element in a register
  bool two_steps;  // fp8 without .kind: as two products of f16, mma.cpp
  bool saturate;
  Scaling scaling;
};
void multiply_sparse(Thread*, int line, const SparseMma&, const u32* a, const u32* b, const u32* c, u32* d,
                     u32 metadata, const ScaleData& scale_a, const ScaleData& scale_b);

}  // namespace podium::ptx
