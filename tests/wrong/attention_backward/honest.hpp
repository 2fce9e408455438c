// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, in pieces that contestants replace by wrong ones. A helper: no contestant.
#pragma once
#include <podium/attention_backward.hpp>

namespace {
using problem::real;
constexpr int block = 64, widest = 128;

struct Honest {
  __device__ static float delta(float of_row) { return of_row; }
  // Query heads of kv head g, from the first to before the last.
  __device__ static std::int64_t first_head(std::int64_t g, std::int64_t group) { return g * group; }
  __device__ static std::int64_t end_of_heads(std::int64_t g, std::int64_t group) { return (g + 1) * group; }
};

__device__ inline float dot(const real* x, const real* y, std::int64_t n) {
  float sum = 0;
  for (std::int64_t d = 0; d < n; ++d) sum += podium::cast<float>(x[d]) * podium::cast<float>(y[d]);
  return sum;
}

struct Weights {
  float p, ds;
};
template <class Way>
__device__ Weights weights(const problem::Arguments& a, std::int64_t b, std::int64_t i, std::int64_t j,
                           std::int64_t h) {
  const std::int64_t g = h / (a.heads / a.kv_heads);
  if (a.causal != 0 && j > i) return {0, 0};
  const float scale = 1 / sqrtf(float(a.head_dim));
  const float score = scale * dot(&a.q(b, i, h, 0), &a.k(b, j, g, 0), a.head_dim);
  const float p = exp2f(score * 1.44269504f - a.lse(b, i, h));
  const float dp = dot(&a.dout(b, i, h, 0), &a.v(b, j, g, 0), a.head_dim);
  const float delta = dot(&a.dout(b, i, h, 0), &a.out(b, i, h, 0), a.head_dim);
  return {p, p * (dp - Way::delta(delta)) * scale};
}

template <class Way>
__global__ void __launch_bounds__(block) rows_of_dq(problem::Arguments a) {  // a thread a row
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (item >= a.batch * a.len * a.heads) return;
  const std::int64_t h = item % a.heads, i = item / a.heads % a.len, b = item / a.heads / a.len;
  float dq[widest] = {};
  for (std::int64_t j = 0; j < a.len; ++j) {
    const float ds = weights<Way>(a, b, i, j, h).ds;
    for (std::int64_t d = 0; d < a.head_dim; ++d)
      dq[d] += ds * podium::cast<float>(a.k(b, j, h / (a.heads / a.kv_heads), d));
  }
  for (std::int64_t d = 0; d < a.head_dim; ++d) a.dq(b, i, h, d) = podium::cast<real>(dq[d]);
}

template <class Way>
__global__ void __launch_bounds__(block) rows_of_dk_and_dv(problem::Arguments a) {  // a thread a row
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (item >= a.batch * a.len * a.kv_heads) return;
  const std::int64_t g = item % a.kv_heads, j = item / a.kv_heads % a.len, b = item / a.kv_heads / a.len;
  const std::int64_t group = a.heads / a.kv_heads;
  float dk[widest] = {}, dv[widest] = {};
  for (std::int64_t h = Way::first_head(g, group); h < Way::end_of_heads(g, group); ++h)
    for (std::int64_t i = 0; i < a.len; ++i) {
      const Weights w = weights<Way>(a, b, i, j, h);
      for (std::int64_t d = 0; d < a.head_dim; ++d) {
        dk[d] += w.ds * podium::cast<float>(a.q(b, i, h, d));
        dv[d] += w.p * podium::cast<float>(a.dout(b, i, h, d));
      }
    }
  for (std::int64_t d = 0; d < a.head_dim; ++d) {
    a.dk(b, j, g, d) = podium::cast<real>(dk[d]);
    a.dv(b, j, g, d) = podium::cast<real>(dv[d]);
  }
}

template <class Way>
struct Backward {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = [](std::int64_t rows) { return dim3(unsigned(podium::ceil_div(rows, block))); };
    const std::int64_t tokens = args.batch * args.len;
    if (tokens == 0) return;
    podium::launch(rows_of_dq<Way>, blocks(tokens * args.heads), dim3(block), 0, stream, args);
    podium::launch(rows_of_dk_and_dv<Way>, blocks(tokens * args.kv_heads), dim3(block), 0, stream, args);
  }
};
}  // namespace
