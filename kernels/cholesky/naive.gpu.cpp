// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a matrix, column after column
//   author: Podium

// Column j of l needs the columns before it: what is left of a(i, j) when the product of rows i and j, as far
// as they are known, is taken away, divided by the square root of the same for (j, j). Every thread does this
// for some rows; l itself, in global memory, is the only storage.
#include <podium/cholesky.hpp>

namespace {
using problem::real;
constexpr int most_threads = 256;

__global__ void __launch_bounds__(most_threads)
    cholesky(podium::Tensor<const real, 3> a, podium::Tensor<real, 3> l) {
  const std::int64_t b = blockIdx.x, n = a.extent(1);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = threadIdx.x; i < j; i += blockDim.x) l(b, i, j) = 0;
    for (std::int64_t i = j + threadIdx.x; i < n; i += blockDim.x) {
      real rest = a(b, i, j);
      for (std::int64_t k = 0; k < j; ++k) rest -= l(b, i, k) * l(b, j, k);
      l(b, i, j) = rest;
    }
    __syncthreads();
    const real root = sqrt(l(b, j, j));
    __syncthreads();  // before anybody overwrites what all have read
    for (std::int64_t i = j + threadIdx.x; i < n; i += blockDim.x)
      l(b, i, j) = i == j ? root : l(b, i, j) / root;
    __syncthreads();
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    const auto threads = unsigned(std::min<std::int64_t>(podium::ceil_div(args.n, 32) * 32, most_threads));
    podium::launch(cholesky, dim3(unsigned(args.batch)), dim3(threads), 0, stream, args.a, args.l);
  }
};
}  // namespace
