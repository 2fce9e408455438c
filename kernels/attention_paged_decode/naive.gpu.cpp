// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One warp a request and head
//   author: Podium

// One query looks at all tokens of its request. A warp walks along them: the lanes share a key's elements,
// add up their products with the query's, and the exponential of the score weighs the token's value. The
// largest score is not known beforehand; whenever a larger one turns up, what has been added up so far is
// scaled to it.
#include <podium/attention_paged_decode.hpp>

namespace {
using problem::real, problem::head_dim, problem::page_size;
constexpr int block = 128, least_warp = 32;
constexpr int each = head_dim / least_warp;  // elements of a lane, at most; some warps have 64 lanes

__device__ void decode_one(const problem::Arguments& a, std::int64_t request, std::int64_t head) {
  const std::int64_t kv_head = head / (a.heads / a.kv_heads);
  const int lane = int(threadIdx.x) % warpSize;
  const auto for_own = [&](auto body) {  // body(k, element) for this lane's elements
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (k * warpSize + lane < head_dim) body(k, k * warpSize + lane);
  };
  float q[each], sum[each] = {}, peak = -INFINITY, total = 0;
  for_own(
      [&](int k, int d) { q[k] = podium::cast<float>(a.q(request, head, d)) * float(problem::sm_scale); });
  const int first = a.kv_indptr.device(request), pages = a.kv_indptr.device(request + 1) - first;
  for (int n = 0; n < pages; ++n) {
    const std::int64_t page = a.kv_indices.device(first + n);
    const int tokens = n + 1 < pages ? page_size : a.last_page_len.device(request);
    for (int t = 0; t < tokens; ++t) {
      float score = 0;
      for_own([&](int k, int d) { score += q[k] * podium::cast<float>(a.k_cache(page, t, kv_head, d)); });
      for (int d = warpSize / 2; d > 0; d /= 2) score += __shfl_xor_sync(podium::all_lanes, score, d);
      const float higher = fmaxf(peak, score), scale = expf(peak - higher), weight = expf(score - higher);
      peak = higher;
      total = total * scale + weight;
      for_own([&](int k, int d) {
        sum[k] = sum[k] * scale + weight * podium::cast<float>(a.v_cache(page, t, kv_head, d));
      });
    }
  }
  for_own([&](int k, int d) { a.out(request, head, d) = podium::cast<real>(sum[k] / total); });
}

__global__ void __launch_bounds__(block) decode(problem::Arguments a) {
  const std::int64_t warps = std::int64_t(gridDim.x) * (block / warpSize);
  std::int64_t item = std::int64_t(blockIdx.x) * (block / warpSize) + threadIdx.x / warpSize;
  for (; item < a.batch * a.heads; item += warps) decode_one(a, item / a.heads, item % a.heads);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t items = args.batch * args.heads;
    if (items == 0) return;
    podium::launch(decode, dim3(unsigned(podium::ceil_div(items, block / least_warp))), dim3(block), 0,
                   stream, args);
  }
};
}  // namespace
