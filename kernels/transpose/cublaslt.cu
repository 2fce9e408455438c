// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuBLASLt, cublasLtMatrixTransform
//   author: Podium
//   needs: [cublaslt]
#include <podium/transpose.hpp>

#include <cublasLt.h>

namespace {
using podium::check;
using problem::real;
// A byte times 1 is that byte, whether it has a sign or not.
constexpr cudaDataType_t dtype = std::is_same_v<real, float>          ? CUDA_R_32F
                                 : std::is_same_v<real, podium::bf16> ? CUDA_R_16BF
                                                                      : CUDA_R_8I;

struct Contestant {
  cublasLtHandle_t handle{};
  cublasLtMatrixTransformDesc_t turn{};
  cublasLtMatrixLayout_t x{}, y{};

  explicit Contestant(const problem::Workload& w) {
    if (w.rows == 0 || w.cols == 0) return;  // cuBLASLt takes no empty matrices
    check(cublasLtCreate(&handle));
    check(cublasLtMatrixTransformDescCreate(&turn, CUDA_R_32F));
    const cublasOperation_t transposed = CUBLAS_OP_T;
    check(cublasLtMatrixTransformDescSetAttribute(turn, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, &transposed,
                                                  sizeof transposed));
    // To cuBLASLt, whose matrices are column-major, x is cols × rows and y is rows × cols.
    check(cublasLtMatrixLayoutCreate(&x, dtype, std::uint64_t(w.cols), std::uint64_t(w.rows), w.cols));
    check(cublasLtMatrixLayoutCreate(&y, dtype, std::uint64_t(w.rows), std::uint64_t(w.cols), w.rows));
  }
  ~Contestant() {
    if (handle == nullptr) return;
    cublasLtMatrixLayoutDestroy(x);
    cublasLtMatrixLayoutDestroy(y);
    cublasLtMatrixTransformDescDestroy(turn);
    cublasLtDestroy(handle);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    const float one = 1, zero = 0;
    const auto status = cublasLtMatrixTransform(handle, turn, &one, args.x.data, x, &zero, nullptr, nullptr,
                                                args.y.data, y, stream);
    podium::require(status != CUBLAS_STATUS_NOT_SUPPORTED, "cuBLASLt does not transpose this shape");
    check(status);
  }
};
}  // namespace
