// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mma.sync of 8-, 6- and 4-bit floats, with block scaling or without (PTX ISA 9.7.14.5.14), as generated
// kernels call it.
#pragma once
#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct Scaling {
  u32 vector;      // scale factors of a row; 0: none
  bool exponents;  // ue8m0; else ue4m3
};
struct ScaledMma {
  u32 k;
  Element a, b;
  bool packed;  // e2m1, eight to a register; else an element to a byte
  Scaling scaling;
};
struct ScaleData {
  u32 word, byte, thread;
};
// m16n8, D and C in f32. Rows lane / 4 and that + 8 of A take the factors that lanes 0 and 1 of their four
// hold, or with thread 1 lanes 2 and 3; columns lane / 4 of B those of lane `thread`.
void multiply_scaled(Thread*, int line, const ScaledMma&, const u32* a, const u32* b, const u32* c, u32* d,
                     const ScaleData& scale_a, const ScaleData& scale_b);

// The scaling alone, of a warp's matrices; `of_a` and `of_b` are what its 32 lanes hold.
struct GpuThread;
class MatrixOperand;
void scale(GpuThread*, int line, const Scaling&, MatrixOperand& a, const ScaleData* of_a, MatrixOperand& b,
           const ScaleData* of_b);

}  // namespace podium::ptx
