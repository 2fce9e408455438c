// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A product by tiles in shared memory, a block each.
#pragma once
#include <podium/ranks.hpp>
#include <podium/tensor.hpp>

namespace tiles {

constexpr int side = 16;  // of a tile, and of the block of threads that computes it

// Tiles of a product of `rows` × `cols`.
inline dim3 grid(std::int64_t rows, std::int64_t cols) {
  return dim3(static_cast<unsigned>(podium::ceil_div(cols, side)),
              static_cast<unsigned>(podium::ceil_div(rows, side)));
}

// Where a thread's element is.
__device__ inline std::int64_t row() { return std::int64_t(blockIdx.y) * side + threadIdx.y; }
__device__ inline std::int64_t col() { return std::int64_t(blockIdx.x) * side + threadIdx.x; }

// That element: row_at(i) is where row i of the left matrix begins, which has `rows` of them.
template <class T, class Row>
__device__ float product(const Row& row_at, podium::PackedTensor<const T, 2> b, std::int64_t rows) {
  __shared__ float as[side][side + 1], bs[side][side + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t i = row(), j = col(), k = b.extent(0), n = b.extent(1);
  float sum = 0;
  for (std::int64_t first = 0; first < k; first += side) {
    as[y][x] = i < rows && first + x < k ? podium::cast<float>(row_at(i)[first + x]) : 0.0f;
    bs[y][x] = first + y < k && j < n ? podium::cast<float>(b(first + y, j)) : 0.0f;
    __syncthreads();
    for (int p = 0; p < side; ++p) sum += as[y][p] * bs[p][x];
    __syncthreads();
  }
  return sum;
}

}  // namespace tiles
