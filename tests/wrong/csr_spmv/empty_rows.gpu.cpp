// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rows without elements are not written

// expect: not written
// As by a kernel that runs over elements and writes where rows end.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    spmv(podium::Tensor<const std::int32_t, 1> row_ptr, podium::Tensor<const std::int32_t, 1> columns,
         podium::Tensor<const real, 1> values, podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= y.extent(0)) return;
  real sum = 0;
  for (std::int32_t e = row_ptr(i); e < row_ptr(i + 1); ++e) sum += values(e) * x(columns(e));
  if (row_ptr(i) < row_ptr(i + 1)) y(i) = sum;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(spmv, dim3(unsigned(podium::ceil_div(args.rows, block))), dim3(block), 0, stream,
                   args.row_ptr.device, args.columns.device, args.values, args.x, args.y);
  }
};
}  // namespace
