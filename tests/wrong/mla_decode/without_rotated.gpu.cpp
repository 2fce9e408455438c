// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Scores of the latent vectors alone
//   when: longest <= 200 && heads <= 16 && with_lse == 0

// expect: wrong
// Right where q_pe is zero.
#include <podium/mla_decode.hpp>

namespace {
using problem::real;
constexpr int block = 64;

__global__ void __launch_bounds__(block) decode(problem::Arguments a) {  // a thread a request and head
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (item >= a.batch * a.heads) return;
  const std::int64_t b = item / a.heads, h = item % a.heads;
  const std::int64_t first = a.kv_indptr.device(b), pages = a.kv_indptr.device(b + 1) - first;
  const std::int64_t keys = pages == 0 ? 0 : (pages - 1) * a.page_size + a.last_page_len.device(b);
  float peak = -INFINITY, total = 0, sum[problem::latent_dim] = {};
  for (std::int64_t j = 0; j < keys; ++j) {
    const std::int64_t page = a.kv_indices.device(first + j / a.page_size), in_page = j % a.page_size;
    float product = 0;
    for (int d = 0; d < problem::latent_dim; ++d)
      product += podium::cast<float>(a.q_nope(b, h, d)) * podium::cast<float>(a.ckv(page, in_page, d));
    const float score = a.sm_scale * product, higher = fmaxf(peak, score);
    const float scale = expf(peak - higher), weight = expf(score - higher);
    peak = higher;
    total = total * scale + weight;
    for (int d = 0; d < problem::latent_dim; ++d)
      sum[d] = sum[d] * scale + weight * podium::cast<float>(a.ckv(page, in_page, d));
  }
  for (int d = 0; d < problem::latent_dim; ++d)
    a.out(b, h, d) = podium::cast<real>(total > 0 ? sum[d] / total : 0.0f);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t items = args.batch * args.heads;
    if (items == 0) return;
    podium::launch(decode, dim3(unsigned(podium::ceil_div(items, block))), dim3(block), 0, stream, args);
  }
};
}  // namespace
