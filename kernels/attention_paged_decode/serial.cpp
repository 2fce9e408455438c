// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, scores first
//   author: Podium
#include <podium/attention_paged_decode.hpp>

#include <cmath>
#include <vector>

namespace {
struct Contestant {
  std::vector<float> weight;  // of each token

  void run(const problem::Arguments& a, podium::Stream) {
    for (std::int64_t b = 0; b < a.batch; ++b)
      for (std::int64_t h = 0; h < a.heads; ++h) attend(a, b, h);
  }

  void attend(const problem::Arguments& a, std::int64_t b, std::int64_t h) {
    const std::int64_t g = h * a.kv_heads / a.heads;
    const int first = a.kv_indptr.device(b), last = a.kv_indptr.device(b + 1) - 1;
    weight.clear();
    float peak = -INFINITY, total = 0, sum[problem::head_dim] = {};
    const auto each_token = [&](auto body) {
      for (int n = first; n <= last; ++n)
        for (int t = 0; t < (n == last ? a.last_page_len.device(b) : problem::page_size); ++t)
          body(a.kv_indices.device(n), t);
    };
    each_token([&](std::int64_t page, int t) {
      float score = 0;
      for (int d = 0; d < problem::head_dim; ++d)
        score += podium::cast<float>(a.q(b, h, d)) * podium::cast<float>(a.k_cache(page, t, g, d));
      weight.push_back(score * float(problem::sm_scale));
      peak = std::fmax(peak, weight.back());
    });
    for (float& w : weight) total += w = std::exp(w - peak);
    std::size_t token = 0;
    each_token([&](std::int64_t page, int t) {
      const float w = weight[token++] / total;
      for (int d = 0; d < problem::head_dim; ++d) sum[d] += w * podium::cast<float>(a.v_cache(page, t, g, d));
    });
    for (int d = 0; d < problem::head_dim; ++d) a.out(b, h, d) = podium::cast<problem::real>(sum[d]);
  }
};
}  // namespace
