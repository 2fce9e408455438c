// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: cuBLAS, cublasSgeam
//   author: Podium
//   types: { real: [f32] }
//   needs: [cublas]
#include <podium/transpose.hpp>

#include <cublas_v2.h>

namespace {
using podium::check;

struct Contestant {
  cublasHandle_t handle{};

  explicit Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    check(cublasCreate(&handle));
    check(cublasSetStream(handle, stream));
  }
  ~Contestant() { cublasDestroy(handle); }

  void run(const problem::Arguments& args, podium::Stream) {
    if (args.x.size() == 0) return;
    const float one = 1, zero = 0;
    // To cuBLAS, whose matrices are column-major, x is cols × rows and y is rows × cols: y = 1 · xᵀ + 0 · y.
    check(cublasSgeam_64(handle, CUBLAS_OP_T, CUBLAS_OP_N, args.rows, args.cols, &one, args.x.data, args.cols,
                         &zero, args.y.data, args.rows, args.y.data, args.rows));
  }
};
}  // namespace
