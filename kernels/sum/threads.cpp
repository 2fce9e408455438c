// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, 64 accumulators each
//   author: Podium

// An addition waits for the one before it, so a single accumulator leaves most of a processor idle; 64 of
// them fill its vector units. They are emptied into a double before they grow long, so hardly an error is
// left.
#include <podium/sum.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <vector>

namespace {
constexpr int lanes = 64;
constexpr std::int64_t piece = 64 * lanes;  // elements between two visits of the double

double sum(const float* x, std::int64_t n) {
  double total = 0;
  std::int64_t at = 0;
  while (at + lanes <= n) {
    float partial[lanes] = {};
    for (const auto end = std::min(n, at + piece); at + lanes <= end; at += lanes)
      for (int l = 0; l < lanes; ++l) partial[l] += x[at + l];
    for (int width = lanes / 2; width > 0; width /= 2)
      for (int l = 0; l < width; ++l) partial[l] += partial[l + width];
    total += partial[0];
  }
  for (; at < n; ++at) total += x[at];
  return total;
}

struct Contestant {
  struct alignas(64) Share {  // a cache line each
    double sum;
  };
  podium::Threads threads;
  std::vector<Share> shares = std::vector<Share>(std::size_t(threads.count()));

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      const auto [begin, end] = threads.share(args.n, piece, member);
      shares[std::size_t(member)].sum = sum(args.x.data + begin, end - begin);
    });
    double total = 0;
    for (const auto& share : shares) total += share.sum;
    args.y() = float(total);
  }
};
}  // namespace
