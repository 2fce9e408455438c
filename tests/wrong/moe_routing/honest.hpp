// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The right answer, for contestants that spoil a part of it. A helper: no contestant.
#pragma once
#include <podium/moe_routing.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace {
// The k first experts of every token by logit, and the logits in that order; skips the first `skip`.
inline void choose(const problem::Arguments& args, std::int64_t skip = 0) {
  std::vector<std::int32_t> order(std::size_t(args.experts));
  for (std::int64_t t = 0; t < args.tokens; ++t) {
    std::iota(order.begin(), order.end(), 0);
    const auto logit = [&](auto e) { return podium::cast<float>(args.logits(t, e)); };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return logit(a) > logit(b); });
    for (std::int64_t s = 0; s < args.k; ++s) {
      const auto e = args.expert(t, s) = order[std::size_t((s + skip) % args.experts)];
      args.weights(t, s) = logit(e);
    }
  }
}

// Logits become weights.
inline void weigh(const problem::Arguments& args) {
  for (std::int64_t t = 0; t < args.tokens; ++t) {
    double total = 0;
    const float largest = args.weights(t, 0);
    for (std::int64_t s = 0; s < args.k; ++s)
      total += args.weights(t, s) = std::exp(args.weights(t, s) - largest);
    for (std::int64_t s = 0; s < args.k; ++s) args.weights(t, s) = float(args.weights(t, s) / total);
  }
}

inline void list(const problem::Arguments& args) {
  std::fill_n(args.offsets.data, args.experts + 1, 0);
  for (std::int64_t p = 0; p < args.pairs.size(); ++p) ++args.offsets(args.expert.data[p] + 1);
  std::partial_sum(args.offsets.data, args.offsets.data + args.experts + 1, args.offsets.data);
  std::vector<std::int32_t> next(args.offsets.data, args.offsets.data + args.experts);
  for (std::int32_t p = 0; p < args.pairs.size(); ++p)
    args.pairs(next[std::size_t(args.expert.data[p])]++) = p;
}

inline void honest(const problem::Arguments& args) {
  choose(args);
  weigh(args);
  list(args);
}
}  // namespace
