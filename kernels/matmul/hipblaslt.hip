// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: hipBLASLt, first of its heuristics
//   author: Podium
//   needs: [hipblaslt]
#include <podium/matmul.hpp>

#include <hipblaslt/hipblaslt.h>

namespace {
using podium::check;
constexpr hipDataType dtype = std::is_same_v<problem::real, podium::f16> ? HIP_R_16F : HIP_R_16BF;
constexpr std::size_t scratch_bytes = 32 << 20;  // as much as cublaslt.cu gives

struct Contestant {
  hipblasLtHandle_t handle{};
  hipblasLtMatmulDesc_t product{};
  hipblasLtMatrixLayout_t a{}, b{}, c{};
  hipblasLtMatmulAlgo_t algorithm{};
  void* scratch;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : scratch(workspace.device(scratch_bytes)) {
    podium::require(w.m > 0 && w.n > 0 && w.k > 0, "hipBLASLt takes no empty matrices");
    check(hipblasLtCreate(&handle));
    check(hipblasLtMatmulDescCreate(&product, HIPBLAS_COMPUTE_32F, HIP_R_32F));
    // Row-major c = a b is column-major cᵀ = bᵀ aᵀ.
    check(hipblasLtMatrixLayoutCreate(&a, dtype, std::uint64_t(w.k), std::uint64_t(w.m), w.k));
    check(hipblasLtMatrixLayoutCreate(&b, dtype, std::uint64_t(w.n), std::uint64_t(w.k), w.n));
    check(hipblasLtMatrixLayoutCreate(&c, dtype, std::uint64_t(w.n), std::uint64_t(w.m), w.n));
    hipblasLtMatmulPreference_t preference{};
    check(hipblasLtMatmulPreferenceCreate(&preference));
    check(hipblasLtMatmulPreferenceSetAttribute(preference, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                &scratch_bytes, sizeof scratch_bytes));
    hipblasLtMatmulHeuristicResult_t best{};
    int found = 0;
    const auto status =
        hipblasLtMatmulAlgoGetHeuristic(handle, product, b, a, c, c, preference, 1, &best, &found);
    hipblasLtMatmulPreferenceDestroy(preference);
    podium::require(status == HIPBLAS_STATUS_SUCCESS && found > 0,
                    "hipBLASLt knows no algorithm for this shape");
    algorithm = best.algo;
  }
  ~Contestant() {
    hipblasLtMatrixLayoutDestroy(a);
    hipblasLtMatrixLayoutDestroy(b);
    hipblasLtMatrixLayoutDestroy(c);
    hipblasLtMatmulDescDestroy(product);
    hipblasLtDestroy(handle);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const float one = 1, zero = 0;
    check(hipblasLtMatmul(handle, product, &one, args.b.data, b, args.a.data, a, &zero, args.c.data, c,
                          args.c.data, c, &algorithm, scratch, scratch_bytes, stream));
  }
};
}  // namespace
