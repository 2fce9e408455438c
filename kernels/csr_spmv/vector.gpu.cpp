// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A team of 2 to 32 lanes a row, by the mean length
//   author: Podium
//   source: after Bell and Garland, SC 2009, doi:10.1145/1654059.1654078

// The lanes of a team read neighbouring elements of one row together and then add up what each has. A team as
// wide as rows are long on average leaves few lanes idle, if rows are about equally long.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
constexpr int block = 256, widest = 32;

__global__ void __launch_bounds__(block)
    spmv(podium::Tensor<const std::int32_t, 1> row_ptr, podium::Tensor<const std::int32_t, 1> columns,
         podium::Tensor<const real, 1> values, podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y,
         int width) {
  const std::int64_t i = (std::int64_t(blockIdx.x) * block + threadIdx.x) / width;
  const int lane = int(threadIdx.x) % width;
  const bool inside = i < y.extent(0);  // nobody leaves early: all lanes of a warp take part in its shuffles
  const std::int64_t begin = inside ? row_ptr(i) : 0, end = inside ? row_ptr(i + 1) : 0;
  real sum = 0;
  for (std::int64_t e = begin + lane; e < end; e += width) sum += values(e) * x(columns(e));
  for (int d = width / 2; d > 0; d /= 2) sum += __shfl_xor_sync(podium::all_lanes, sum, d);
  if (inside && lane == 0) y(i) = sum;
}

struct Contestant {
  int width = 2;

  explicit Contestant(const problem::Workload& w) {
    while (width < widest && width * w.rows < w.nnz) width *= 2;
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0) return;
    podium::launch(spmv, dim3(unsigned(podium::ceil_div(args.rows, block / width))), dim3(block), 0, stream,
                   args.row_ptr.device, args.columns.device, args.values, args.x, args.y, width);
  }
};
}  // namespace
