// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuBLAS, cublasGemmEx
//   author: Podium
//   needs: [cublas]
#include <podium/matmul.hpp>

#include <cublas_v2.h>

namespace {
using podium::check;
constexpr cudaDataType_t dtype = std::is_same_v<problem::real, podium::f16> ? CUDA_R_16F : CUDA_R_16BF;
constexpr std::size_t scratch_bytes = 32 << 20;  // what NVIDIA recommends for Hopper

struct Contestant {
  cublasHandle_t handle{};

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream) {
    void* scratch = workspace.device(scratch_bytes);
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, stream));  // before the workspace: a new stream brings the default one back
    check(cublasSetWorkspace(handle, scratch, scratch_bytes));
  }
  ~Contestant() { cublasDestroy(handle); }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.c.size() == 0) return;
    if (args.k == 0) {  // the empty sum; cuBLAS takes no leading dimension of 0
      check(cudaMemsetAsync(args.c.data, 0, std::size_t(args.c.size()) * sizeof *args.c.data, stream));
      return;
    }
    const float one = 1, zero = 0;
    // Row-major c = a b is column-major cᵀ = bᵀ aᵀ.
    check(cublasGemmEx_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, args.n, args.m, args.k, &one, args.b.data, dtype,
                          args.n, args.a.data, dtype, args.k, &zero, args.c.data, dtype, args.n,
                          CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  }
};
}  // namespace
