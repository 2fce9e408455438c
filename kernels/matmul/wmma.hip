// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of RDNA 3 and 4 (WMMA, 16 x 16), tiles in LDS
//   author: Podium
//   arch: [gfx1100, gfx1101, gfx1102, gfx1200, gfx1201]
#include "matrix_core_tiles.hpp"

namespace {

constexpr bool half = std::is_same_v<problem::real, podium::f16>;

template <class T, int count>
using Vector = T __attribute__((ext_vector_type(count)));

#if defined(__GFX12__)
using Lanes = matrix_cores::Wmma12;
#else
using Lanes = matrix_cores::Wmma11;
#endif

struct Core : Lanes {
  using Sums = Vector<float, sums>;
  using Operand = std::conditional_t<half, Vector<_Float16, held>, Vector<short, held>>;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
#if defined(__GFX12__)
    if constexpr (half)
      return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
    else
      return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
#elif defined(__GFX11__)
    if constexpr (half)
      return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
    else
      return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32(a, b, c);
#else
    return c;  // the host's pass, which generates no code for it
#endif
  }
};

using Contestant = matrix_cores::Contestant<Core>;

}  // namespace
