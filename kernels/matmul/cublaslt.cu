// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuBLASLt, first of its heuristics
//   author: Podium
//   needs: [cublaslt]
#include <podium/matmul.hpp>

#include <cublasLt.h>

namespace {
using podium::check;
constexpr cudaDataType_t dtype = std::is_same_v<problem::real, podium::f16> ? CUDA_R_16F : CUDA_R_16BF;
constexpr std::size_t scratch_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

struct Contestant {
  cublasLtHandle_t handle{};
  cublasLtMatmulDesc_t product{};
  cublasLtMatrixLayout_t a{}, b{}, c{};
  cublasLtMatmulAlgo_t algorithm{};
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : scratch(workspace.device(scratch_bytes)) {
    podium::require(w.m > 0 && w.n > 0 && w.k > 0, "cuBLASLt takes no empty matrices");
    check(cublasLtCreate(&handle));
    check(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    // Row-major c = a b is column-major cᵀ = bᵀ aᵀ.
    check(cublasLtMatrixLayoutCreate(&a, dtype, std::uint64_t(w.k), std::uint64_t(w.m), w.k));
    check(cublasLtMatrixLayoutCreate(&b, dtype, std::uint64_t(w.n), std::uint64_t(w.k), w.n));
    check(cublasLtMatrixLayoutCreate(&c, dtype, std::uint64_t(w.n), std::uint64_t(w.m), w.n));
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
                    "cuBLASLt knows no algorithm for this shape");
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
    const float one = 1, zero = 0;
    check(cublasLtMatmul(handle, product, &one, args.b.data, b, args.a.data, a, &zero, args.c.data, c,
                         args.c.data, c, &algorithm, scratch, scratch_bytes, stream));
  }
};
}  // namespace
