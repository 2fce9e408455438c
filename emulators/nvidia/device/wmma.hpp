// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// wmma.load, wmma.mma, wmma.store (PTX ISA 9.7.14.4), as generated kernels call them. The ISA leaves open
// which element of a matrix lies where in a warp's registers. Here it is what ptxas makes of them for sm_90a,
// the fragments of mma.sync one after another: A in tiles of 16 rows, or 8 where m is, B in tiles of 8
// columns, C and D in tiles of both, down the rows first. Where the ISA has more registers than that takes,
// the others hold copies. m8n32k16 is m32n8k16 of the transposed: the translator exchanges A and B.
#pragma once
#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/narrow.hpp"

namespace podium::ptx {

// A matrix, its elements counted along two directions: of A and B `outer` is m or n and `inner` is k, of C
// and D they are m and n. Elements of less than a byte are taken in words of 32 bits.
enum class Part { a, b, sum };  // sum: C or D
struct Fragment {
  Part part;
  u32 outer, inner;     // elements, or words
  u32 size;             // bytes of one
  u32 registers;        // of a lane, of 32 bits, or of 64 where size is 8
  bool inner_adjacent;  // neighbours along `inner` are neighbours in memory; else those along `outer`
};

enum class Space { global, shared, generic };
struct FragmentPlace {
  Space space;
  u32 site;    // of Thread::sites; none in shared memory
  u64 at;      // of the first element
  u64 stride;  // bytes between rows (or columns) that are not adjacent
};

// By all lanes of a warp. `out` and `in` have Fragment::registers registers. An address outside of memory, a
// row that begins at no multiple of what the ISA wants, or of 16 bytes, stops the kernel.
void load_fragment(Thread*, int line, const Fragment&, const FragmentPlace&, void* out);
void store_fragment(Thread*, int line, const Fragment&, const FragmentPlace&, const void* in);

// D = A B + C of f16, bf16 or tf32, as mma.sync adds; of tf32 in two steps, four of k each. Where not both of
// C and D are f16, sums are of f32, and D is rounded once. All of this as ptxas makes it for sm_90a.
struct Wmma {
  u32 m, n, k;
  Element operand, c, d;
};
void multiply_fragments(Thread*, int line, const Wmma&, const u32* a, const u32* b, const u32* c, u32* d);
// Of integers, `how.m` being all rows; `n` columns.
void multiply_integer_fragments(Thread*, int line, const MmaIntegers& how, u32 n, const u32* a, const u32* b,
                                const u32* c, u32* d);

}  // namespace podium::ptx
