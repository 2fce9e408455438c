// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread a token, for contestants that each get one thing of a row's loss wrong. A helper: no contestant.
#pragma once
#include <podium/cross_entropy.hpp>

namespace {
using problem::integer, problem::real;

inline __device__ float largest(const real* x, std::int64_t vocab) {
  float peak = -INFINITY;
  for (std::int64_t v = 0; v < vocab; ++v) peak = fmaxf(peak, podium::cast<float>(x[v]));
  return peak;
}

// Row: a class with `static float loss(const real* x, std::int64_t vocab, std::int64_t target)`.
template <class Row>
__global__ void losses(podium::Tensor<const real, 2> x, podium::Tensor<const integer, 1> target,
                       podium::Tensor<float, 1> loss) {
  const std::int64_t token = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (token >= loss.extent(0)) return;
  loss(token) = Row::loss(x.data + token * x.stride(0), x.extent(1), target(token));
}

template <class Row>
void run_rows(const problem::Arguments& args, podium::Stream stream) {
  if (args.tokens == 0) return;
  podium::launch(losses<Row>, dim3(unsigned(podium::ceil_div(args.tokens, 32))), dim3(32), 0, stream, args.x,
                 args.target, args.loss);
}
}  // namespace
