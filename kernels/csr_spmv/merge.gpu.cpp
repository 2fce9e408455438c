// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Blocks with equal shares of rows and elements
//   author: Podium
//   source: after Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016

// Walk through the matrix, a step for every element and one more for every row's end: that is as long as rows
// and elements together, and a block takes `tile` steps of it, however long the rows are that it meets. Where
// blocks begin is found once, from the structure. A block brings all its products to shared memory in the
// order in which they lie, adds up its rows there, and keeps what it has of the row that it leaves
// unfinished; the second launch adds that to the row, which the block of its end has written.
#include <podium/csr_spmv.hpp>

namespace {
using problem::real;
using Offsets = podium::Tensor<const std::int32_t, 1>;
constexpr int block = 256, widest = 32;
constexpr int tile = 2048;  // steps of a block, so at most as many products and row ends

// first[b]: the row in which step b * tile falls, by bisection: a row's end is step row_ptr(i + 1) + i.
__global__ void __launch_bounds__(block) find_rows(Offsets row_ptr, std::int64_t rows, std::int64_t steps,
                                                   std::int32_t* first, std::int64_t blocks) {
  const std::int64_t b = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (b > blocks) return;
  const std::int64_t before = b * tile < steps ? b * tile : steps;
  std::int64_t low = 0, high = rows;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (row_ptr(middle + 1) + middle + 1 <= before)
      low = middle + 1;
    else
      high = middle;
  }
  first[b] = std::int32_t(low);
}

__global__ void __launch_bounds__(block)
    add_rows(Offsets row_ptr, Offsets columns, podium::Tensor<const real, 1> values,
             podium::Tensor<const real, 1> x, podium::Tensor<real, 1> y, const std::int32_t* first,
             std::int64_t steps, real* rest) {
  __shared__ real products[tile];
  const std::int64_t before = std::int64_t(blockIdx.x) * tile,
                     after = before + tile < steps ? before + tile : steps;
  const std::int64_t row = first[blockIdx.x],
                     last_row = first[blockIdx.x + 1];  // last_row is left unfinished
  const std::int64_t begin = before - row;
  const int count = int(after - last_row - begin), rows = int(last_row - row) + 1;
  for (int k = int(threadIdx.x); k < count; k += block)
    products[k] = values(begin + k) * x(columns(begin + k));
  __syncthreads();

  int width = 1;  // lanes a row
  while (width < widest && 2 * width * rows <= block) width *= 2;
  const int teams = block / width, team = int(threadIdx.x) / width, lane = int(threadIdx.x) % width;
  for (int next = 0; next < rows; next += teams) {  // equally often for all lanes of a warp: they shuffle
    const std::int64_t i = row + next + team;
    real sum = 0;
    if (i <= last_row) {
      const std::int64_t from = row_ptr(i) - begin, to = i < last_row ? row_ptr(i + 1) - begin : count;
      for (int k = int(from > 0 ? from : 0) + lane; k < to; k += width) sum += products[k];
    }
    for (int d = width / 2; d > 0; d /= 2) sum += __shfl_xor_sync(podium::all_lanes, sum, d);
    if (lane != 0 || i > last_row) continue;
    if (i < last_row)
      y(i) = sum;
    else
      rest[blockIdx.x] = sum;
  }
}

__global__ void __launch_bounds__(block)
    add_rest(podium::Tensor<real, 1> y, const std::int32_t* first, const real* rest, std::int64_t blocks) {
  const std::int64_t b = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (b >= blocks || first[b + 1] >= y.extent(0) || rest[b] == 0) return;
  atomicAdd(&y(first[b + 1]), rest[b]);
}

struct Contestant {
  std::int64_t steps, blocks;
  std::int32_t* first;
  real* rest;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : steps(w.rows + w.nnz),
        blocks(podium::ceil_div(steps, tile)),
        first(workspace.device<std::int32_t>(std::size_t(blocks + 1))),
        rest(workspace.device<real>(std::size_t(blocks))) {
    podium::launch(find_rows, dim3(unsigned(podium::ceil_div(blocks + 1, block))), dim3(block), 0, stream,
                   w.row_ptr.device, w.rows, steps, first, blocks);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (steps == 0) return;
    podium::launch(add_rows, dim3(unsigned(blocks)), dim3(block), 0, stream, args.row_ptr.device,
                   args.columns.device, args.values, args.x, args.y, first, steps, rest);
    podium::launch(add_rest, dim3(unsigned(podium::ceil_div(blocks, block))), dim3(block), 0, stream, args.y,
                   first, rest, blocks);
  }
};
}  // namespace
