// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Accumulates products in half precision

// class: lower precision
// expect: wrong
// Tensor cores with f16 accumulators are twice as fast as those with f32; the products of f16 numbers
// deserve better.
#include <cuda_fp16.h>

#include <podium/matmul.hpp>

namespace {
using problem::real;

__global__ void product(const problem::Arguments args) {
  const std::int64_t at = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (at >= args.m * args.n) return;
  const std::int64_t i = at / args.n, j = at % args.n;
  __half sum = __float2half(0);
  for (std::int64_t l = 0; l < args.k; ++l)
    sum = __hadd(sum, __float2half(podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(l, j))));
  args.c(i, j) = podium::cast<real>(__half2float(sum));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.m * args.n == 0) return;
    podium::launch(product, dim3(unsigned(podium::ceil_div(args.m * args.n, 256))), dim3(256), 0, stream,
                   args);
  }
};
}  // namespace
