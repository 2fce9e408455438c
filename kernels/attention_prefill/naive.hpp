// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One warp a query and head. It walks along the keys: the lanes share a key's elements, add up their products
// with the query's, and the exponential of the score weighs the key's value. The largest score is not known
// beforehand; whenever a larger one turns up, what has been added up so far is scaled to it.
#pragma once
#include "view.hpp"

namespace attention::naive {

constexpr int block = 128, least_warp = 32, widest = 256;
constexpr int each = widest / least_warp;  // elements of a lane, at most; some warps have 64 lanes

// Element d of a row turned by its position.
template <class T>
__device__ float turned(const T* row, int d, int head_dim, float position) {
  const int half = head_dim / 2, pair = d % half;
  const float angle = position * rope_frequency(pair, head_dim);
  const float x = podium::cast<float>(row[pair]), y = podium::cast<float>(row[pair + half]);
  return d < half ? x * cosf(angle) - y * sinf(angle) : y * cosf(angle) + x * sinf(angle);
}

__device__ inline void attend(const problem::Arguments& a, std::int64_t row, std::int64_t head) {
  const std::int64_t b = owner(a, row), kv_head = head / (a.heads / a.kv_heads);
  const Request r = request(a, b);
  const std::int64_t i = row - r.first_row;
  const int lane = int(threadIdx.x) % warpSize, head_dim = int(a.head_dim);
  const auto for_own = [&](auto body) {  // body(n, element) for this lane's elements
#pragma unroll
    for (int n = 0; n < each; ++n)
      if (n * warpSize + lane < head_dim) body(n, n * warpSize + lane);
  };
  const auto element = [&](const auto* from, int d, std::int64_t position) {
    return has_rope(a) ? turned(from, d, head_dim, float(position)) : podium::cast<float>(from[d]);
  };

  float q[each], sum[each] = {}, peak = -INFINITY, total = 0;
  for_own([&](int n, int d) { q[n] = element(query(a, row, head), d, r.position(i)); });
  if (has_sinks(a)) {
    peak = sink(a, head);
    total = 1;
  }
  for (std::int64_t j = first_key(a, r, i), end = end_of_keys(a, r, i); j < end; ++j) {
    const std::int64_t at = slot(a, b, j);
    float product = 0;
    for_own([&](int n, int d) { product += q[n] * element(key(a, at, kv_head), d, j); });
    for (int d = warpSize / 2; d > 0; d /= 2) product += __shfl_xor_sync(podium::all_lanes, product, d);
    const float s = score(a, head, i, j, product * score_scale(a));
    const float higher = fmaxf(peak, s), scale = expf(peak - higher), weight = expf(s - higher);
    peak = higher;
    total = total * scale + weight;
    for_own([&](int n, int d) {
      sum[n] = sum[n] * scale + weight * podium::cast<float>(value(a, at, kv_head)[d]);
    });
  }
  const float factor = total > 0 ? value_scale(a) / total : 0;
  for_own([&](int n, int d) { result(a, row, head)[d] = podium::cast<real>(sum[n] * factor); });
  if (lane == 0) put_lse(a, row, head, peak, total);
}

__global__ void __launch_bounds__(block) attention(problem::Arguments a) {
  const std::int64_t warps = std::int64_t(gridDim.x) * (block / warpSize), items = rows(a) * a.heads;
  std::int64_t item = std::int64_t(blockIdx.x) * (block / warpSize) + threadIdx.x / warpSize;
  for (; item < items; item += warps) attend(a, item / a.heads, item % a.heads);
}

struct Contestant {
  std::int64_t items;

  explicit Contestant(const problem::Workload& w) : items(rows<true>(w) * w.heads) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (items == 0) return;
    podium::launch(attention, dim3(unsigned(podium::ceil_div(items, block / least_warp))), dim3(block), 0,
                   stream, args);
  }
};

}  // namespace attention::naive
