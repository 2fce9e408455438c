// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuSPARSE, cusparseSpMV, prepared
//   author: Podium
//   needs: [cusparse]

// cusparseSpMV_preprocess reads the pattern of the matrix and leaves what it found in the scratch memory;
// from then on only values and vectors may change.
#include <podium/csr_spmv.hpp>

#include <cusparse.h>

#include <algorithm>

namespace {
using podium::check;
using problem::real;
constexpr cudaDataType_t dtype = std::is_same_v<real, float> ? CUDA_R_32F : CUDA_R_64F;
constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
constexpr auto algorithm = CUSPARSE_SPMV_CSR_ALG1;

struct Contestant {
  cusparseHandle_t handle{};
  cusparseSpMatDescr_t matrix{};
  cusparseDnVecDescr_t x{}, y{};
  void* scratch{};

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    check(cusparseCreate(&handle));
    if (w.rows == 0 || w.nnz == 0) return;
    check(cusparseSetStream(handle, stream));
    // Tensors are known in run() only; until then something else lies where they are expected.
    real* const numbers = workspace.device<real>(std::size_t(std::max({w.nnz, w.rows, w.cols})));
    check(cusparseCreateCsr(&matrix, w.rows, w.cols, w.nnz, const_cast<std::int32_t*>(w.row_ptr.device.data),
                            const_cast<std::int32_t*>(w.columns.device.data), numbers, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, dtype));
    check(cusparseCreateDnVec(&x, w.cols, numbers, dtype));
    check(cusparseCreateDnVec(&y, w.rows, numbers, dtype));
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle, operation, &one, matrix, x, &zero, y, dtype, algorithm, &bytes));
    scratch = workspace.device(bytes);
    check(cusparseSpMV_preprocess(handle, operation, &one, matrix, x, &zero, y, dtype, algorithm, scratch));
  }
  ~Contestant() {
    if (matrix) cusparseDestroySpMat(matrix);
    if (x) cusparseDestroyDnVec(x);
    if (y) cusparseDestroyDnVec(y);
    cusparseDestroy(handle);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (!matrix) {
      if (args.rows > 0)
        check(cudaMemsetAsync(args.y.data, 0, std::size_t(args.rows) * sizeof(real), stream));
      return;
    }
    check(cusparseSpMatSetValues(matrix, const_cast<real*>(args.values.data)));
    check(cusparseDnVecSetValues(x, const_cast<real*>(args.x.data)));
    check(cusparseDnVecSetValues(y, args.y.data));
    check(cusparseSpMV(handle, operation, &one, matrix, x, &zero, y, dtype, algorithm, scratch));
  }

  const real one = 1, zero = 0;
};
}  // namespace
