// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer with all variants, in pieces that contestants replace by wrong ones. A helper: no
// contestant.
#pragma once
#include <podium/attention_paged_prefill.hpp>

namespace {
using problem::real;
constexpr int block = 64, widest = 256;

// Query `index` of a request of so many queries and keys.
struct Query {
  std::int64_t index, queries, keys, position;
};

struct Honest {
  // Which keys it sees.
  __device__ static std::int64_t begin(const problem::Arguments& a, const Query& q) {
    return a.window_left < 0 || q.position < a.window_left ? 0 : q.position - a.window_left;
  }
  __device__ static std::int64_t end(const problem::Arguments& a, const Query& q) {
    return a.causal != 0 ? q.position + 1 : q.keys;
  }
  // The elements of a pair that RoPE turns, and how far apart query and key are.
  __device__ static std::int64_t first_of_pair(std::int64_t pair) { return pair; }
  __device__ static std::int64_t second_of_pair(std::int64_t pair, std::int64_t head_dim) {
    return pair + head_dim / 2;
  }
  __device__ static float distance(const Query& q, std::int64_t key) { return float(q.position - key); }

  __device__ static float k_scale(const problem::Arguments& a) { return a.k_scale; }
  __device__ static float v_scale(const problem::Arguments& a) { return a.v_scale; }
  __device__ static float capped(const problem::Arguments& a, float score) {
    return a.soft_cap > 0 ? a.soft_cap * tanhf(score / a.soft_cap) : score;
  }
  __device__ static float slope(const problem::Arguments& a, std::int64_t head) {
    return a.alibi != 0 ? a.slope(head) : 0;
  }
  __device__ static float score(const problem::Arguments& a, float product, float bias) {
    return capped(a, product) + bias;
  }
  // Of the sum of exp(score - peak) over the keys, and the sink's own term.
  __device__ static float total(float of_keys, float of_sink) { return of_keys + of_sink; }
  __device__ static float lse(float peak, float of_keys, float of_sink) {
    return peak * 1.44269504f + log2f(of_keys + of_sink);
  }
};

template <class Way, class K>
__device__ float product(const problem::Arguments& a, const real* q, const K* k, const Query& query,
                         std::int64_t key) {
  float sum = 0;
  if (a.rope == 0) {
    for (std::int64_t d = 0; d < a.head_dim; ++d)
      sum += podium::cast<float>(q[d]) * podium::cast<float>(k[d]);
    return sum;
  }
  for (std::int64_t pair = 0; pair < a.head_dim / 2; ++pair) {
    const std::int64_t first = Way::first_of_pair(pair), second = Way::second_of_pair(pair, a.head_dim);
    const float q1 = podium::cast<float>(q[first]), q2 = podium::cast<float>(q[second]);
    const float k1 = podium::cast<float>(k[first]), k2 = podium::cast<float>(k[second]);
    const float angle = Way::distance(query, key) * powf(10000.0f, -2.0f * float(pair) / float(a.head_dim));
    sum += (q1 * k1 + q2 * k2) * cosf(angle) + (q1 * k2 - q2 * k1) * sinf(angle);
  }
  return sum;
}

template <class Way>
__global__ void __launch_bounds__(block) attend(problem::Arguments a) {  // a thread a row and head
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (item >= a.qo_indptr.device(a.batch) * a.heads) return;
  const std::int64_t row = item / a.heads, h = item % a.heads, g = h / (a.heads / a.kv_heads);
  std::int64_t b = 0;
  while (a.qo_indptr.device(b + 1) <= row) ++b;
  const std::int64_t first = a.kv_indptr.device(b), pages = a.kv_indptr.device(b + 1) - first;
  Query query{row - a.qo_indptr.device(b), a.qo_indptr.device(b + 1) - a.qo_indptr.device(b),
              pages == 0 ? 0 : (pages - 1) * a.page_size + a.last_page_len.device(b), 0};
  query.position = query.index + query.keys - query.queries;

  float peak = -INFINITY, of_keys = 0, of_sink = 0, sum[widest] = {};
  if (a.sinks != 0) {
    peak = a.sink(h);
    of_sink = 1;
  }
  for (std::int64_t j = Way::begin(a, query), end = Way::end(a, query); j < end; ++j) {
    const std::int64_t page = a.kv_indices.device(first + j / a.page_size), in_page = j % a.page_size;
    const float scaled = Way::k_scale(a) / sqrtf(float(a.head_dim)) *
                         product<Way>(a, &a.q(row, h, 0), &a.k_cache(page, in_page, g, 0), query, j);
    const float score = Way::score(a, scaled, Way::slope(a, h) * float(j - query.index));
    const float higher = fmaxf(peak, score), scale = expf(peak - higher), weight = expf(score - higher);
    peak = higher;
    of_keys = of_keys * scale + weight;
    of_sink *= scale;
    for (std::int64_t d = 0; d < a.head_dim; ++d)
      sum[d] = sum[d] * scale + weight * podium::cast<float>(a.v_cache(page, in_page, g, d));
  }
  const float total = Way::total(of_keys, of_sink), factor = total > 0 ? Way::v_scale(a) / total : 0;
  for (std::int64_t d = 0; d < a.head_dim; ++d) a.out(row, h, d) = podium::cast<real>(sum[d] * factor);
  if (a.with_lse != 0) a.lse(row, h) = Way::lse(peak, of_keys, of_sink);
}

template <class Way>
struct Attention {
  std::int64_t items;

  explicit Attention(const problem::Workload& w) : items(w.qo_indptr.host(w.batch) * w.heads) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (items == 0) return;
    podium::launch(attend<Way>, dim3(unsigned(podium::ceil_div(items, block))), dim3(block), 0, stream, args);
  }
};
}  // namespace
