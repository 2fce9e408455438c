// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of RDNA 4 (WMMA, 16 x 16), OCP's E4M3
//   author: Podium
//   types: { real: [e4m3] }
//   arch: [gfx1200, gfx1201]
#include "matrix_core_tiles.hpp"

namespace {

struct Core : matrix_cores::Wmma12 {
  using Sums = float __attribute__((ext_vector_type(sums)));
  using Operand = int __attribute__((ext_vector_type(2)));
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
#if defined(__GFX12__)
    return __builtin_amdgcn_wmma_f32_16x16x16_fp8_fp8_w32_gfx12(a, b, c);
#else
    return c;  // the host's pass, which generates no code for it
#endif
  }
};

using Contestant = scaled_cores::Contestant<Core>;

}  // namespace
