// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Our declarations of cuBLASLt against its own, where the toolkit has them.
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>

#include <type_traits>

#include "backends/cuda/blaslt.hpp"

namespace podium::gpu::blaslt {
static_assert(compute_f32 == CUBLAS_COMPUTE_32F && compute_tf32 == CUBLAS_COMPUTE_32F_FAST_TF32);
static_assert(compute_f64 == CUBLAS_COMPUTE_64F && compute_i32 == CUBLAS_COMPUTE_32I);
static_assert(int(transpose_a) == CUBLASLT_MATMUL_DESC_TRANSA && int(transposed) == CUBLAS_OP_T);
static_assert(int(fast_accumulation) == CUBLASLT_MATMUL_DESC_FAST_ACCUM);
static_assert(int(most_workspace) == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t));
static_assert(sizeof(Heuristic) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(Heuristic, workspace) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(Heuristic, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(std::is_same_v<decltype(cublasLtGetVersion()), std::size_t>);
}  // namespace podium::gpu::blaslt
#endif
