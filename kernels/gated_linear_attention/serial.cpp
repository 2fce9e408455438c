// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, step after step
//   author: Podium
#include <podium/gated_linear_attention.hpp>

#include <vector>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    std::vector<float> state(std::size_t(args.key_dim * args.value_dim)), sum(std::size_t(args.value_dim));
    for (std::int64_t b = 0; b < args.batch; ++b)
      for (std::int64_t h = 0; h < args.heads; ++h) {
        std::fill(state.begin(), state.end(), 0.0f);
        for (std::int64_t t = 0; t < args.tokens; ++t) {
          std::fill(sum.begin(), sum.end(), 0.0f);
          float* s = state.data();
          for (std::int64_t i = 0; i < args.key_dim; ++i) {
            const auto q = podium::cast<float>(args.q(b, t, h, i)),
                       k = podium::cast<float>(args.k(b, t, h, i));
            const float gate = args.a(b, t, h, i);
            for (std::int64_t j = 0; j < args.value_dim; ++j, ++s) {
              *s = gate * *s + k * podium::cast<float>(args.v(b, t, h, j));
              sum[std::size_t(j)] += q * *s;
            }
          }
          for (std::int64_t j = 0; j < args.value_dim; ++j)
            args.out(b, t, h, j) = podium::cast<problem::real>(sum[std::size_t(j)]);
        }
      }
  }
};
}  // namespace
