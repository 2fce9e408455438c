// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "a gathered by a kernel, then a matmul of tiles" }
#include <podium/all_gather_matmul.hpp>

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

__global__ void __launch_bounds__(block) copy(real* to, const real* from, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}

__global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

__global__ void __launch_bounds__(tile* tile)
    multiply(const real* a, podium::PackedTensor<const real, 2> b, podium::PackedTensor<real, 2> c) {
  const std::int64_t k = b.extent(0);
  const float sum = product([=](std::int64_t i) { return a + i * k; }, b, c.extent(0));
  const std::int64_t i = std::int64_t(blockIdx.y) * tile + threadIdx.y,
                     j = std::int64_t(blockIdx.x) * tile + threadIdx.x;
  if (i < c.extent(0) && j < c.extent(1)) c(i, j) = podium::cast<real>(sum);
}

struct Contestant {
  podium::Everywhere<real> stripes;
  real* whole;

  Contestant(const problem::Workload& workload, podium::Workspace& workspace)
      : stripes(podium::Symmetric(workload.team).take<real>(workload.m / workload.ranks * workload.k)),
        whole(workspace.device<real>(static_cast<std::size_t>(workload.m * workload.k))) {}

  static dim3 blocks(std::int64_t n, int each) {
    return dim3(static_cast<unsigned>(podium::ceil_div(n, each)));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t stripe = args.a.size();
    const dim3 tiles(static_cast<unsigned>(podium::ceil_div(args.n, tile)),
                     static_cast<unsigned>(podium::ceil_div(args.m, tile)));
    podium::launch(copy, blocks(stripe, block), dim3(block), 0, stream, stripes[args.team.rank], args.a.data,
                   stripe);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, args.team);
    for (int rank = 0; rank < args.team.ranks; ++rank)
      podium::launch(copy, blocks(stripe, block), dim3(block), 0, stream, whole + rank * stripe,
                     stripes[rank], stripe);
    podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream,
                   args.team);  // before the next call writes
    podium::launch(multiply, tiles, dim3(tile, tile), 0, stream, whole, args.b, args.c);
  }
};
}  // namespace
