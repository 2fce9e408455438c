// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, tables of their own
//   author: Podium

// Every thread counts in tables that nobody else touches. In more than one, since two equal keys in a row
// would wait for each other: the second has to read what the first has just written.
#include <podium/histogram.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <vector>

namespace {
using problem::key;
constexpr std::int64_t grain = 4096;                 // keys
constexpr std::int64_t most_bins_of_many = 1 << 14;  // beyond that, tables push each other out of the cache

struct Contestant {
  podium::Threads threads;
  std::int64_t tables;
  std::vector<std::vector<std::int32_t>> counts;  // of each thread: its tables, one after another

  explicit Contestant(const problem::Workload& w)
      : tables(w.bins <= most_bins_of_many ? 4 : 1),
        counts(std::size_t(threads.count()), std::vector<std::int32_t>(std::size_t(tables * w.bins))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      auto& mine = counts[std::size_t(member)];
      std::fill(mine.begin(), mine.end(), 0);
      const auto [begin, end] = threads.share(args.n, grain, member);
      if (tables == 4)
        count_in_four(args.x.data + begin, end - begin, mine.data(), args.bins);
      else
        for (auto i = begin; i < end; ++i) ++mine[std::size_t(args.x.data[i])];
    });
    threads.split(args.bins, grain, [&](std::int64_t begin, std::int64_t end) {
      for (auto b = begin; b < end; ++b) {
        std::int32_t sum = 0;
        for (const auto& table : counts)
          for (auto t = b; t < tables * args.bins; t += args.bins) sum += table[std::size_t(t)];
        args.y.data[b] = sum;
      }
    });
  }

  static void count_in_four(const key* x, std::int64_t n, std::int32_t* table, std::int64_t bins) {
    std::int64_t i = 0;
    for (; i + 4 <= n; i += 4) {
      ++table[x[i]];
      ++table[bins + x[i + 1]];
      ++table[2 * bins + x[i + 2]];
      ++table[3 * bins + x[i + 3]];
    }
    for (; i < n; ++i) ++table[x[i]];
  }
};
}  // namespace
