// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Matrix cores of CDNA (MFMA, 32 x 32), tiles in LDS
//   author: Podium
//   arch: [gfx90a, gfx942, gfx950]
#include "matrix_core_tiles.hpp"

namespace {

constexpr bool half = std::is_same_v<problem::real, podium::f16>;

#if defined(__gfx950__)
constexpr int depth = 16;
#else
constexpr int depth = 8;
#endif

template <class T, int count>
using Vector = T __attribute__((ext_vector_type(count)));

struct Core : matrix_cores::Mfma<depth> {
  using Sums = Vector<float, sums>;
#if defined(__gfx950__)
  using Operand = std::conditional_t<half, Vector<_Float16, held>, Vector<__bf16, held>>;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    if constexpr (half)
      return __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0);
    else
      return __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, c, 0, 0, 0);
  }
#else
  using Operand = std::conditional_t<half, Vector<_Float16, held>, Vector<short, held>>;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    if constexpr (half)
      return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
    else
      return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
#endif
};

using Contestant = matrix_cores::Contestant<Core>;

}  // namespace
