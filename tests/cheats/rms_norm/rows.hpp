// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One thread a row, for contestants that each save something of it. A helper: no contestant.
#pragma once
#include <podium/rms_norm.hpp>

namespace {
using problem::real;

inline __device__ float sum_at(const problem::Arguments& args, std::int64_t t, std::int64_t i) {
  return podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i));
}

// Row: a class whose `of(args, t)` makes row t of both outputs.
template <class Row>
__global__ void rows(problem::Arguments args) {
  const std::int64_t t = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (t < args.tokens) Row::of(args, t);
}

template <class Row>
void run_rows(const problem::Arguments& args, podium::Stream stream) {
  if (args.y.size() == 0) return;
  constexpr int block = 32;
  podium::launch(rows<Row>, dim3(unsigned(podium::ceil_div(args.tokens, block))), dim3(block), 0, stream,
                 args);
}
}  // namespace
