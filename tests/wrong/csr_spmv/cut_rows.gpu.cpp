// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Rows that cross a tile lose what lies before it

// expect: wrong
// Right wherever a row lies within one tile of elements, as nearly all do.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
constexpr int block = 256;
constexpr int tile = 2048;

__global__ void __launch_bounds__(block)
    spmv(podium::Tensor<const std::int32_t, 1> row_ptr, podium::Tensor<const std::int32_t, 1> columns,
         podium::Tensor<const real, 1> values, podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= y.extent(0)) return;
  const std::int32_t end = row_ptr(i + 1), tile_begin = end > 0 ? (end - 1) / tile * tile : 0;
  real sum = 0;
  for (std::int32_t e = row_ptr(i) > tile_begin ? row_ptr(i) : tile_begin; e < end; ++e)
    sum += values(e) * x(columns(e));
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
