// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, in pieces that contestants replace by wrong ones. A helper: no contestant.
#pragma once
#include <podium/attention_paged_decode.hpp>

namespace {
using problem::real, problem::head_dim, problem::page_size;
constexpr int block = 64;

struct Honest {
  using Sum = float;  // of weights and of weighted values

  __device__ static std::int64_t page(const problem::Arguments& a, int place) {
    return a.kv_indices.device(place);
  }
  __device__ static int last_tokens(const problem::Arguments& a, std::int64_t request) {
    return a.last_page_len.device(request);
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
  const int first = a.kv_indptr.device(b), pages = a.kv_indptr.device(b + 1) - first;
  using Sum = typename Way::Sum;
  Sum total = podium::cast<Sum>(0.0f), sum[head_dim];
  for (Sum& s : sum) s = total;
  float peak = -1e30f;
  for (int pass = 0; pass < 2; ++pass)  // the largest score; the sums
    for (int n = 0; n < pages; ++n) {
      const std::int64_t page = Way::page(a, first + n);
      for (int t = 0; t < (n + 1 < pages ? page_size : Way::last_tokens(a, b)); ++t) {
        float score = 0;
        for (int d = 0; d < head_dim; ++d)
          score += podium::cast<float>(a.q(b, h, d)) * podium::cast<float>(a.k_cache(page, t, g, d));
        score *= float(problem::sm_scale);
        if (pass == 0) peak = Way::higher(peak, score);
        if (pass == 0) continue;
        const float weight = expf(score - peak);
        total = plus(total, weight);
        for (int d = 0; d < head_dim; ++d)
          sum[d] = plus(sum[d], weight * podium::cast<float>(a.v_cache(page, t, g, d)));
      }
    }
  for (int d = 0; d < head_dim; ++d)
    a.out(b, h, d) = podium::cast<real>(podium::cast<float>(sum[d]) / podium::cast<float>(total));
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
