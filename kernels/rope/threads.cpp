// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole tokens each
//   author: Podium

// The row of the table stays in the first cache for all heads of a token. x and y are known not to overlap,
// which is all that a compiler needs to turn many pairs at a time.
#include <podium/rope.hpp>
#include <podium/threads.hpp>

namespace {
using problem::real;

void turn(const real* __restrict x, const float* __restrict table, real* __restrict y, std::int64_t half) {
  for (std::int64_t d = 0; d < half; ++d) {
    const float a = podium::cast<float>(x[d]), b = podium::cast<float>(x[d + half]);
    y[d] = podium::cast<real>(a * table[d] - b * table[d + half]);
    y[d + half] = podium::cast<real>(b * table[d] + a * table[d + half]);
  }
}

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    threads.split(args.tokens, 1, [&](std::int64_t begin, std::int64_t end) {
      for (auto t = begin; t < end; ++t) {
        const float* const table = args.table.data + args.position.data[t] * args.head_dim;
        for (auto at = t * args.heads * args.head_dim; at < (t + 1) * args.heads * args.head_dim;
             at += args.head_dim)
          turn(args.x.data + at, table, args.y.data + at, args.head_dim / 2);
      }
    });
  }
};
}  // namespace
