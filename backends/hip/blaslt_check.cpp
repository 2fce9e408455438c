// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Our declarations of hipBLASLt against its own, where ROCm has them.
#if __has_include(<hipblaslt/hipblaslt.h>)
#include <hipblaslt/hipblaslt.h>

#include "backends/hip/blaslt.hpp"

namespace podium::gpu::blaslt {
static_assert(compute_f32 == HIPBLAS_COMPUTE_32F && compute_tf32 == HIPBLAS_COMPUTE_32F_FAST_TF32);
static_assert(compute_f64 == HIPBLAS_COMPUTE_64F && compute_i32 == HIPBLAS_COMPUTE_32I);
static_assert(int(transpose_a) == HIPBLASLT_MATMUL_DESC_TRANSA && int(transposed) == HIPBLAS_OP_T);
static_assert(int(most_workspace) == HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(sizeof(Algorithm) == sizeof(hipblasLtMatmulAlgo_t));
static_assert(sizeof(Heuristic) == sizeof(hipblasLtMatmulHeuristicResult_t));
static_assert(offsetof(Heuristic, workspace) == offsetof(hipblasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(Heuristic, state) == offsetof(hipblasLtMatmulHeuristicResult_t, state));
}  // namespace podium::gpu::blaslt
#endif
