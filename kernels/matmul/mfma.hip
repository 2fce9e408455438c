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
#if defined(__gfx90a__)
    if constexpr (half)
      if (__any(has_denormal(a) || has_denormal(b))) return multiply_in_f32(a, b, c);
#endif
    if constexpr (half)
      return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
    else
      return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }

  // MI200's matrix cores take denormal f16 for zero. Of normally distributed numbers one in twenty thousand
  // is one: where a wave meets it, the same lanes multiply in f32, two of k at a time, with the sums where
  // they are.
  static __device__ bool has_denormal(Operand x) {
    constexpr int subnormal = 0x90;  // of either sign, to v_cmp_class
    bool found = false;
    for (int i = 0; i < held; ++i) found = found || __builtin_amdgcn_classh(x[i], subnormal);
    return found;
  }
  static __device__ Sums multiply_in_f32(Operand a, Operand b, Sums c) {
    for (int i = 0; i < held; ++i)
      c = __builtin_amdgcn_mfma_f32_32x32x2f32(float(a[i]), float(b[i]), c, 0, 0, 0);
    return c;
  }
#endif
};

using Contestant = matrix_cores::Contestant<Core>;

}  // namespace
