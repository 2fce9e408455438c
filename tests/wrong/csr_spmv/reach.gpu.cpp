// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rows reach as far as 64 rounds of a warp

// expect: wrong
// Only the few longest rows of a power law show it.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    spmv(podium::Tensor<const std::int32_t, 1> row_ptr, podium::Tensor<const std::int32_t, 1> columns,
         podium::Tensor<const real, 1> values, podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= y.extent(0)) return;
  const std::int64_t most = std::int64_t(row_ptr(i)) + 64 * 32, end = row_ptr(i + 1);
  real sum = 0;
  for (std::int64_t e = row_ptr(i); e < end && e < most; ++e) sum += values(e) * x(columns(e));
  y(i) = sum;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(spmv, dim3(unsigned(podium::ceil_div(args.rows, block))), dim3(block), 0, stream,
                   args.row_ptr.device, args.columns.device, args.values, args.x, args.y);
  }
};
}  // namespace
