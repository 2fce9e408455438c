// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, choices kept in order by insertion, a counting sort in shares
//   author: Podium

// Few experts are chosen out of many, so most are dropped by one comparison with the last of those kept. Each
// thread counts the choices of its tokens; from the counts of all threads follows where each thread's pairs
// of each expert begin, and then all write at once.
#include <podium/convert.hpp>
#include <podium/moe_routing.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace {
struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> rows;             // a token's logits, then the k largest, for every thread
  std::vector<std::vector<std::int32_t>> position;  // of each thread, for each expert

  explicit Contestant(const problem::Workload& w)
      : rows(std::size_t(threads.count()), std::vector<float>(std::size_t(w.experts + w.k))),
        position(std::size_t(threads.count()), std::vector<std::int32_t>(std::size_t(w.experts))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      auto& count = position[std::size_t(member)];
      std::fill(count.begin(), count.end(), 0);
      const auto [begin, end] = threads.share(args.tokens, 1, member);
      for (auto t = begin; t < end; ++t) {
        choose(args, t, rows[std::size_t(member)].data());
        for (std::int64_t s = 0; s < args.k; ++s) ++count[std::size_t(args.expert(t, s))];
      }
    });
    std::int32_t sum = 0;
    for (std::int64_t e = 0; e < args.experts; ++e) {
      args.offsets(e) = sum;
      for (auto& count : position) sum += std::exchange(count[std::size_t(e)], sum);
    }
    args.offsets(args.experts) = sum;
    threads.each_member([&](int member) {
      auto* next = position[std::size_t(member)].data();
      const auto [begin, end] = threads.share(args.tokens, 1, member);
      for (auto p = begin * args.k; p < end * args.k; ++p)
        args.pairs(next[args.expert.data[p]]++) = std::int32_t(p);
    });
  }

  static void choose(const problem::Arguments& args, std::int64_t t, float* row) {
    const std::int64_t k = args.k;
    float* best = row + args.experts;
    podium::widen(args.logits.data + t * args.experts, row, args.experts);
    std::int64_t kept = 0;
    for (std::int64_t e = 0; e < args.experts; ++e) {
      if (kept == k && !(row[e] > best[k - 1])) continue;
      std::int64_t s = kept < k ? kept++ : k - 1;
      for (; s > 0 && row[e] > best[s - 1]; --s) {
        best[s] = best[s - 1];
        args.expert(t, s) = args.expert(t, s - 1);
      }
      best[s] = row[e];
      args.expert(t, s) = std::int32_t(e);
    }
    float total = 0;
    for (std::int64_t s = 0; s < k; ++s) total += args.weights(t, s) = std::exp(best[s] - best[0]);
    for (std::int64_t s = 0; s < k; ++s) args.weights(t, s) /= total;
  }
};
}  // namespace
