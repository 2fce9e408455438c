// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A matmul of tiles that writes each stripe to where it is added up" }
#include <podium/matmul_reduce_scatter.hpp>

#if defined(PODIUM_KERNELS)
#define PODIUM_TILE __device__ __forceinline__
#else
#define PODIUM_TILE inline
#endif

namespace {
using problem::real;
constexpr int block = 256, tile = 16;

// A tile of a product, by one block of `tile` × `tile` threads: row(i) is where row i of `a` begins.
template <class Row>
PODIUM_TILE float product(const Row& row, podium::PackedTensor<const real, 2> b, std::int64_t rows) {
  __shared__ float as[tile][tile + 1], bs[tile][tile + 1];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const std::int64_t i = std::int64_t(blockIdx.y) * tile + y, j = std::int64_t(blockIdx.x) * tile + x;
  const std::int64_t k = b.extent(0), n = b.extent(1);
  float sum = 0;
  for (std::int64_t first = 0; first < k; first += tile) {
    as[y][x] = i < rows && first + x < k ? podium::cast<float>(row(i)[first + x]) : 0.0f;
    bs[y][x] = first + y < k && j < n ? podium::cast<float>(b(first + y, j)) : 0.0f;
    __syncthreads();
    for (int p = 0; p < tile; ++p) sum += as[y][p] * bs[p][x];
    __syncthreads();
  }
  return sum;
}

__global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

__global__ void __launch_bounds__(tile* tile)
    multiply(podium::PackedTensor<const real, 2> a, podium::PackedTensor<const real, 2> b, podium::Team team,
             podium::Everywhere<float> products) {
  const real* const first = a.data;
  const std::int64_t k = a.extent(1);
  const float sum = product([=](std::int64_t i) { return first + i * k; }, b, a.extent(0));
  const std::int64_t i = std::int64_t(blockIdx.y) * tile + threadIdx.y,
                     j = std::int64_t(blockIdx.x) * tile + threadIdx.x;
  const std::int64_t rows = a.extent(0) / team.ranks, n = b.extent(1);
  if (i < a.extent(0) && j < n)
    products[static_cast<int>(i / rows)][(team.rank * rows + i % rows) * n + j] = sum;
}

__global__ void __launch_bounds__(block)
    add(podium::PackedTensor<real, 2> c, podium::Team team, podium::Everywhere<float> products) {
  const std::int64_t at = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (at >= c.size()) return;
  float sum = 0;
  for (int rank = 0; rank < team.ranks; ++rank) sum += products[team.rank][rank * c.size() + at];
  c(at / c.extent(1), at % c.extent(1)) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<float> products;

  explicit Contestant(const problem::Workload& workload)
      : products(podium::Symmetric(workload.team).take<float>(workload.m * workload.n)) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const dim3 tiles(static_cast<unsigned>(podium::ceil_div(args.n, tile)),
                     static_cast<unsigned>(podium::ceil_div(args.m, tile)));
    const dim3 blocks(static_cast<unsigned>(podium::ceil_div(args.c.size(), block)));
    podium::launch(multiply, tiles, dim3(tile, tile), 0, stream, args.a, args.b, args.team, products);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, args.team);
    podium::launch(add, blocks, dim3(block), 0, stream, args.c, args.team, products);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream,
                   args.team);  // before the next call writes
  }
};
}  // namespace
