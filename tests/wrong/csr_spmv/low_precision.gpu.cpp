// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums in the next lower format

// expect: wrong
// f16 where the dtype is f32, f32 where it is f64, rounded after every addition.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
constexpr int block = 256;
using Low = std::conditional_t<std::is_same_v<real, float>, podium::f16, float>;

__global__ void __launch_bounds__(block)
    spmv(podium::Tensor<const std::int32_t, 1> row_ptr, podium::Tensor<const std::int32_t, 1> columns,
         podium::Tensor<const real, 1> values, podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= y.extent(0)) return;
  Low sum = podium::cast<Low>(0.0f);
  for (std::int32_t e = row_ptr(i); e < row_ptr(i + 1); ++e)
    sum = podium::cast<Low>(podium::cast<real>(sum) + values(e) * x(columns(e)));
  y(i) = podium::cast<real>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(spmv, dim3(unsigned(podium::ceil_div(args.rows, block))), dim3(block), 0, stream,
                   args.row_ptr.device, args.columns.device, args.values, args.x, args.y);
  }
};
}  // namespace
