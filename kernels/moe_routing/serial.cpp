// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, std::partial_sort and a counting sort
//   author: Podium
#include <podium/moe_routing.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {
struct Contestant {
  std::vector<std::int32_t> order, next;

  explicit Contestant(const problem::Workload& w)
      : order(std::size_t(w.experts)), next(std::size_t(w.experts)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    std::fill_n(args.offsets.data, args.experts + 1, 0);
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      const auto logit = [&](std::int32_t e) { return podium::cast<float>(args.logits(t, e)); };
      std::iota(order.begin(), order.end(), 0);
      std::partial_sort(order.begin(), order.begin() + args.k, order.end(),
                        [&](auto a, auto b) { return logit(a) > logit(b); });
      double total = 0;
      for (std::int64_t s = 0; s < args.k; ++s) {
        const auto e = args.expert(t, s) = order[std::size_t(s)];
        total += args.weights(t, s) = std::exp(logit(e) - logit(order[0]));
        ++args.offsets(e + 1);
      }
      for (std::int64_t s = 0; s < args.k; ++s) args.weights(t, s) = float(args.weights(t, s) / total);
    }
    std::partial_sum(args.offsets.data, args.offsets.data + args.experts + 1, args.offsets.data);
    std::copy_n(args.offsets.data, args.experts, next.begin());
    for (std::int32_t p = 0; p < args.tokens * args.k; ++p)
      args.pairs(next[std::size_t(args.expert.data[p])]++) = p;
  }
};
}  // namespace
