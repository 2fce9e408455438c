// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, tiles that stay in the first cache
//   author: Podium

// Whoever walks along rows of x jumps from row to row of y, and brings a cache line for every element. Within
// a tile each line that was brought is used to its end before it is pushed out.
#include <podium/threads.hpp>
#include <podium/transpose.hpp>

#include <algorithm>

namespace {
using problem::real;
constexpr std::int64_t side = 64 / sizeof(real);  // elements of a cache line
constexpr std::int64_t part = 8 * side;           // what a thread takes at a time: part x part elements

void tile(const problem::Arguments& args, std::int64_t top, std::int64_t left) {
  const auto bottom = std::min(args.rows, top + side), right = std::min(args.cols, left + side);
  for (auto j = left; j < right; ++j) {
    real* const out = args.y.data + j * args.rows;
    const real* const in = args.x.data + j;
    for (auto i = top; i < bottom; ++i) out[i] = in[i * args.cols];
  }
}

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t down = podium::ceil_div(args.rows, part), across = podium::ceil_div(args.cols, part);
    threads.each(down * across, [&](std::int64_t p) {
      const auto top = p % down * part, left = p / down * part;
      for (auto i = top; i < std::min(args.rows, top + part); i += side)
        for (auto j = left; j < std::min(args.cols, left + part); j += side) tile(args, i, j);
    });
  }
};
}  // namespace
