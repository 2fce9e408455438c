// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, the sums of their shares first
//   author: Podium

// Every thread adds up its share; from these sums follows where each share begins, and then all scan at once.
// x is read twice, which costs less than to leave all but one processor idle.
#include <podium/prefix_sum.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <vector>

namespace {
using problem::number;
using Sum = std::conditional_t<std::is_same_v<number, float>, double, number>;
constexpr std::int64_t grain = 4096;  // elements; whole pages, so that no two threads share one
constexpr std::int64_t piece = 1024;  // elements between two visits of the double
constexpr int lanes = 32;             // independent sums: an addition waits for the one before it

Sum sum(const number* x, std::int64_t n) {
  Sum total = 0;
  std::int64_t i = 0;
  while (i + lanes <= n) {
    number partial[lanes] = {};
    for (const auto end = std::min(n, i + piece); i + lanes <= end; i += lanes)
      for (int l = 0; l < lanes; ++l) partial[l] += x[i + l];
    for (int l = 0; l < lanes; ++l) total += partial[l];
  }
  for (; i < n; ++i) total += x[i];
  return total;
}

void scan(const number* x, number* y, std::int64_t n, Sum before) {
  std::int64_t i = 0;
  for (; i + 4 <= n; i += 4) {  // one addition in four waits for what came before
    const Sum one = x[i], two = one + x[i + 1], three = two + x[i + 2], four = three + x[i + 3];
    y[i] = number(before + one);
    y[i + 1] = number(before + two);
    y[i + 2] = number(before + three);
    y[i + 3] = number(before += four);
  }
  for (; i < n; ++i) y[i] = number(before += x[i]);
}

struct Contestant {
  struct alignas(64) Share {  // a cache line each
    Sum sum;
  };
  podium::Threads threads;
  std::vector<Share> shares = std::vector<Share>(std::size_t(threads.count()));

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      const auto [begin, end] = threads.share(args.n, grain, member);
      if (member + 1 < threads.count())  // nothing comes after the last
        shares[std::size_t(member)].sum = sum(args.x.data + begin, end - begin);
    });
    Sum before = 0;
    for (auto& share : shares) before += std::exchange(share.sum, before);
    threads.each_member([&](int member) {
      const auto [begin, end] = threads.share(args.n, grain, member);
      scan(args.x.data + begin, args.y.data + begin, end - begin, shares[std::size_t(member)].sum);
    });
  }
};
}  // namespace
