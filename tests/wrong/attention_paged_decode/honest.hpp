// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer without variants (window, soft cap, ALiBi, sinks, RoPE, scales), in pieces that
// contestants replace by wrong ones. A helper: no contestant.
#pragma once
#include <podium/attention_paged_decode.hpp>

namespace {
using problem::real;
constexpr int block = 64, widest = 256;

struct Honest {
  using Sum = float;  // of weights and of weighted values

  __device__ static std::int64_t page(const problem::Arguments& a, std::int64_t first, std::int64_t key) {
    return a.kv_indices.device(first + key / a.page_size);
  }
  __device__ static std::int64_t keys(const problem::Arguments& a, std::int64_t pages, std::int64_t in_last) {
    return (pages - 1) * a.page_size + in_last;
  }
  __device__ static std::int64_t kv_head(const problem::Arguments& a, std::int64_t head) {
    return head / (a.heads / a.kv_heads);
  }
  __device__ static float higher(float peak, float score) { return fmaxf(peak, score); }
};

template <class Sum>
__device__ Sum plus(Sum sum, float x) {
  return podium::cast<Sum>(podium::cast<float>(sum) + x);
}

template <class Way>
__global__ void __launch_bounds__(block) decode(problem::Arguments a) {  // a thread a request and head
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (item >= a.batch * a.heads) return;
  const std::int64_t b = item / a.heads, h = item % a.heads, g = Way::kv_head(a, h);
  const std::int64_t first = a.kv_indptr.device(b), pages = a.kv_indptr.device(b + 1) - first;
  const std::int64_t keys = pages == 0 ? 0 : Way::keys(a, pages, a.last_page_len.device(b));
  using Sum = typename Way::Sum;
  Sum total = podium::cast<Sum>(0.0f), sum[widest];
  for (Sum& s : sum) s = total;
  float peak = -INFINITY;
  for (int pass = 0; pass < 2; ++pass)  // the largest score; the sums
    for (std::int64_t j = 0; j < keys; ++j) {
      const std::int64_t page = Way::page(a, first, j), in_page = j % a.page_size;
      float score = 0;
      for (std::int64_t d = 0; d < a.head_dim; ++d)
        score += podium::cast<float>(a.q(b, h, d)) * podium::cast<float>(a.k_cache(page, in_page, g, d));
      score /= sqrtf(float(a.head_dim));
      if (pass == 0) peak = Way::higher(peak, score);
      if (pass == 0) continue;
      const float weight = expf(score - peak);
      total = plus(total, weight);
      for (std::int64_t d = 0; d < a.head_dim; ++d)
        sum[d] = plus(sum[d], weight * podium::cast<float>(a.v_cache(page, in_page, g, d)));
    }
  const float all = podium::cast<float>(total);
  for (std::int64_t d = 0; d < a.head_dim; ++d)
    a.out(b, h, d) = podium::cast<real>(all > 0 ? podium::cast<float>(sum[d]) / all : 0.0f);
  if (a.with_lse != 0) a.lse(b, h) = peak * 1.44269504f + log2f(all);
}

template <class Way>
struct Decoder {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t items = args.batch * args.heads;
    if (items == 0) return;
    podium::launch(decode<Way>, dim3(unsigned(podium::ceil_div(items, block))), dim3(block), 0, stream, args);
  }
};
}  // namespace
