// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, key by key
//   author: Podium
#include <podium/mla_decode.hpp>

#include <algorithm>
#include <cmath>

namespace {
using problem::real, problem::latent_dim, problem::rope_dim;

double dot(const real* x, const real* y, int n) {
  double sum = 0;
  for (int d = 0; d < n; ++d) sum += double(podium::cast<float>(x[d])) * podium::cast<float>(y[d]);
  return sum;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t b = 0; b < args.batch; ++b)
      for (std::int64_t h = 0; h < args.heads; ++h) attend(args, b, h);
  }

  static void attend(const problem::Arguments& args, std::int64_t b, std::int64_t h) {
    double peak = -INFINITY, total = 0, sum[latent_dim] = {};
    const std::int64_t first = args.kv_indptr.device(b), pages = args.kv_indptr.device(b + 1) - first;
    for (std::int64_t n = 0; n < pages; ++n) {
      const std::int64_t page = args.kv_indices.device(first + n),
                         keys = n + 1 < pages ? args.page_size : args.last_page_len.device(b);
      for (std::int64_t j = 0; j < keys; ++j) {
        const real* const latent = &args.ckv(page, j, 0);
        const double score = args.sm_scale * (dot(&args.q_nope(b, h, 0), latent, latent_dim) +
                                              dot(&args.q_pe(b, h, 0), &args.kpe(page, j, 0), rope_dim));
        const double highest = std::max(peak, score), scale = std::exp(peak - highest);
        const double weight = std::exp(score - highest);
        peak = highest;
        total = total * scale + weight;
        for (int d = 0; d < latent_dim; ++d)
          sum[d] = sum[d] * scale + weight * podium::cast<float>(latent[d]);
      }
    }
    for (int d = 0; d < latent_dim; ++d)
      args.out(b, h, d) = podium::cast<real>(float(total > 0 ? sum[d] / total : 0));
    if (args.with_lse != 0) args.lse(b, h) = float(peak * 1.4426950408889634 + std::log2(total));
  }
};
}  // namespace
