// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuBLASLt, its block scales
//   author: Podium
//   types: { real: [e4m3] }
//   needs: [cublaslt]

// From CUDA 12.9 on, on Hopper. The library wants scales of 128-element rows column by column, as they are
// here, and those of 128 x 128 blocks row by row, each row padded to a multiple of four.
#include <podium/block_scaled_matmul.hpp>

#include <cublasLt.h>

#if CUBLAS_VERSION < 120900
#error "cuBLASLt knows scales of blocks from CUDA 12.9 on"
#endif

namespace {
using podium::check;
using problem::group;
constexpr std::size_t scratch_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

struct Contestant {
  cublasLtHandle_t handle{};
  cublasLtMatmulDesc_t product{};
  cublasLtMatrixLayout_t a{}, b{}, c{};
  cublasLtMatmulAlgo_t algorithm{};
  void* scratch;
  std::int64_t rows, length, padded;  // of b's scales
  float* b_scale;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : scratch(workspace.device(scratch_bytes)),
        rows(podium::ceil_div(w.n, group)),
        length(podium::ceil_div(w.k, group)),
        padded(podium::ceil_div(length, 4) * 4),
        b_scale(workspace.device<float>(std::size_t(rows * padded))) {
    podium::require(w.m > 0 && w.m % 16 == 0 && w.n > 0 && w.n % group == 0 && w.k % group == 0,
                    "cuBLASLt takes whole blocks of 128, and m in multiples of 16");
    check(cublasLtCreate(&handle));
    check(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    // Row-major c = a bᵀ is column-major cᵀ = b aᵀ, where b as it lies is already transposed: b comes first.
    set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    set(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, std::int32_t(CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F));
    set(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, std::int32_t(CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F));
    set_scales(b_scale, b_scale);  // some pointers, for the heuristics; `run` sets those of the call
    check(cublasLtMatrixLayoutCreate(&b, CUDA_R_8F_E4M3, std::uint64_t(w.k), std::uint64_t(w.n), w.k));
    check(cublasLtMatrixLayoutCreate(&a, CUDA_R_8F_E4M3, std::uint64_t(w.k), std::uint64_t(w.m), w.k));
    check(cublasLtMatrixLayoutCreate(&c, CUDA_R_16BF, std::uint64_t(w.n), std::uint64_t(w.m), w.n));
    cublasLtMatmulPreference_t preference{};
    check(cublasLtMatmulPreferenceCreate(&preference));
    check(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                               &scratch_bytes, sizeof scratch_bytes));
    cublasLtMatmulHeuristicResult_t best{};
    int found = 0;
    const auto status =
        cublasLtMatmulAlgoGetHeuristic(handle, product, b, a, c, c, preference, 1, &best, &found);
    cublasLtMatmulPreferenceDestroy(preference);
    podium::require(status == CUBLAS_STATUS_SUCCESS && found > 0,
                    "cuBLASLt knows no algorithm with block scales for this shape on this device");
    algorithm = best.algo;
  }
  ~Contestant() {
    cublasLtMatrixLayoutDestroy(a);
    cublasLtMatrixLayoutDestroy(b);
    cublasLtMatrixLayoutDestroy(c);
    cublasLtMatmulDescDestroy(product);
    cublasLtDestroy(handle);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    const float* scales = args.b_scale.data;
    if (padded != length) {
      check(cudaMemcpy2DAsync(b_scale, std::size_t(padded) * sizeof(float), scales,
                              std::size_t(length) * sizeof(float), std::size_t(length) * sizeof(float),
                              std::size_t(rows), cudaMemcpyDeviceToDevice, stream));
      scales = b_scale;
    }
    set_scales(scales, args.a_scale.data);
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, product, &one, args.b.data, b, args.a.data, a, &zero, args.c.data, c,
                         args.c.data, c, &algorithm, scratch, scratch_bytes, stream));
  }

  void set_scales(const float* of_b, const float* of_a) {
    set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, of_b);
    set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, of_a);
  }
  template <class T>
  void set(cublasLtMatmulDescAttributes_t attribute, const T& value) {
    check(cublasLtMatmulDescSetAttribute(product, attribute, &value, sizeof value));
  }
};
}  // namespace
