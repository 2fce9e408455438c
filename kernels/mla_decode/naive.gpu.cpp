// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One warp a request and head
//   author: Podium

// The warp walks along the keys: the lanes share a key's elements, add up their products with the query's,
// and the exponential of the score weighs the latent vector. Whenever a larger score turns up, what has been
// added up so far is scaled to it.
#include <podium/mla_decode.hpp>

#include "../attention_prefill/view.hpp"

namespace {
using problem::real, problem::latent_dim, problem::rope_dim;
constexpr int block = 128, least_warp = 32;

// body(n, element) for this lane's elements of `width`; some warps have 64 lanes.
template <int width, class Body>
__device__ void for_own(Body body) {
#pragma unroll
  for (int n = 0; n < width / least_warp; ++n)
    if (const int d = n * warpSize + int(threadIdx.x) % warpSize; d < width) body(n, d);
}

__device__ void attend(const problem::Arguments& a, std::int64_t b, std::int64_t h) {
  const attention::Request r = attention::request(a, b);
  float q[latent_dim / least_warp], q_rotated[rope_dim / least_warp], sum[latent_dim / least_warp] = {};
  float peak = -INFINITY, total = 0;
  for_own<latent_dim>([&](int n, int d) { q[n] = podium::cast<float>(a.q_nope(b, h, d)); });
  for_own<rope_dim>([&](int n, int d) { q_rotated[n] = podium::cast<float>(a.q_pe(b, h, d)); });
  for (std::int64_t j = 0; j < r.keys; ++j) {
    const std::int64_t slot = attention::slot(a, b, j);
    const real *const latent = a.ckv.data + slot * latent_dim, *const rotated = a.kpe.data + slot * rope_dim;
    float product = 0;
    for_own<latent_dim>([&](int n, int d) { product += q[n] * podium::cast<float>(latent[d]); });
    for_own<rope_dim>([&](int n, int d) { product += q_rotated[n] * podium::cast<float>(rotated[d]); });
    for (int d = warpSize / 2; d > 0; d /= 2) product += __shfl_xor_sync(podium::all_lanes, product, d);
    const float score = a.sm_scale * product, higher = fmaxf(peak, score);
    const float scale = expf(peak - higher), weight = expf(score - higher);
    peak = higher;
    total = total * scale + weight;
    for_own<latent_dim>(
        [&](int n, int d) { sum[n] = sum[n] * scale + weight * podium::cast<float>(latent[d]); });
  }
  for_own<latent_dim>(
      [&](int n, int d) { a.out(b, h, d) = podium::cast<real>(total > 0 ? sum[n] / total : 0.0f); });
  if (threadIdx.x % warpSize == 0) attention::put_lse(a, b, h, peak, total);
}

__global__ void __launch_bounds__(block) decode(problem::Arguments a) {
  const std::int64_t warps = std::int64_t(gridDim.x) * (block / warpSize), items = a.batch * a.heads;
  std::int64_t item = std::int64_t(blockIdx.x) * (block / warpSize) + threadIdx.x / warpSize;
  for (; item < items; item += warps) attend(a, item / a.heads, item % a.heads);
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
