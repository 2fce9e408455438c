// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A warp's matrices, as generated kernels call them.
#pragma once
#include "emulators/nvidia/device/narrow.hpp"
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

enum class Element { f16, bf16, tf32, e4m3, e5m2, s8, u8_, f32, s32, f64, e2m3, e3m2, e2m1, s4, u4 };

// warp_matrix.cpp: PTX ISA 9.7.14.5.15 (ldmatrix), .16 (stmatrix), .17 (movmatrix)
void load_matrix(Thread*, int line, u32 at, u32 count, bool transposed, u32* out);
void store_matrix(Thread*, int line, u32 at, u32 count, bool transposed, const u32* in);
u32 move_matrix(Thread*, int line, u32 in);
// byte_matrix.cpp: elements of a byte in registers, of `bits` in shared memory, where 16 of them take 16
// bytes all the same. Of matrices of 16 rows the transposed comes, in two registers each.
void load_byte_matrix(Thread*, int line, u32 at, u32 count, u32 rows, u32 bits, u32* out);
void store_byte_matrix(Thread*, int line, u32 at, u32 count, const u32* in);

// mma.cpp: PTX ISA 9.7.14.5.14. Fragments as registers of 32 bits, or of 64 for f64. `what` is the
// instruction that lanes meet in.
struct Mma {
  u32 m, n, k;
  Element a, b, c;
};
void multiply(Thread*, int line, const Mma&, const u32* a, const u32* b, const u32* c, u32* d,
              const char* what = "mma.sync");
// mma_quads.cpp: mma.m8n8k4 of f16, four products of eight lanes each (PTX ISA 9.7.14.5.1).
struct QuadMma {
  bool a_by_columns, b_by_rows, narrow_c, narrow_d;  // narrow: f16; else f32
};
void multiply_quads(Thread*, int line, const QuadMma&, const u32* a, const u32* b, const u32* c, u32* d);
// mma_integers.cpp: sums of s32, which wrap or stay at their limits. Of single bits, a product is an
// exclusive or, or both of them.
enum class BitProduct { none, exclusive, both };
struct MmaIntegers {
  u32 m, k, width;
  bool a_signed, b_signed, saturate;
  BitProduct product;
};
void multiply_integers(Thread*, int line, const MmaIntegers&, const u32* a, const u32* b, const u32* c,
                       u32* d, const char* what = "mma.sync");
void multiply_f64(Thread*, int line, const Mma&, const double* a, const double* b, const double* c, double* d,
                  Rounding = Rounding::nearest, const char* what = "mma.sync");

}  // namespace podium::ptx
